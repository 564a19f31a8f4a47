/* SPDX-License-Identifier: MIT */
/*
 * A cancellation reaches a free thread that waits in a function of libc, whatever that waits for.
 *
 * RUN    plait test -s noise -n 25 --hang-time=5s
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/msg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int queue;
static mqd_t messages;
static pid_t child;
static char fifo[64];

static void *of_queue(void *arg)
{
    struct {
        long type;
        char text[8];
    } m;

    msgrcv(queue, &m, sizeof(m.text), 0, 0);
    return arg;
}

static void *of_messages(void *arg)
{
    char text[64];

    mq_receive(messages, text, sizeof(text), NULL);
    return arg;
}

static void *of_child(void *arg)
{
    waitpid(child, NULL, 0);
    return arg;
}

static void *of_fifo(void *arg)
{
    open(fifo, O_RDONLY);
    return arg;
}

int main(void)
{
    static void *(*const waiting[])(void *) = {of_queue, of_messages, of_child, of_fifo};
    struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 64};

    queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
    snprintf(fifo, sizeof(fifo), "/noise-cancelled-%07d", (int)getpid());
    messages = mq_open(fifo, O_CREAT | O_RDONLY, 0600, &attributes);
    mq_unlink(fifo);
    snprintf(fifo, sizeof(fifo), "/tmp/noise-cancelled-%07d", (int)getpid());
    assert(queue >= 0 && messages >= 0 && mkfifo(fifo, 0600) == 0);
    child = fork();
    for (; child == 0;)
        pause();
    for (unsigned i = 0; i < sizeof(waiting) / sizeof(waiting[0]); i++) {
        pthread_t thread;
        void *result;

        assert(pthread_create(&thread, NULL, waiting[i], NULL) == 0);
        assert(pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0);
        assert(result == PTHREAD_CANCELED);
    }
    kill(child, SIGKILL);
    assert(waitpid(child, NULL, 0) == child);
    unlink(fifo);
    msgctl(queue, IPC_RMID, NULL);
    return 0;
}
