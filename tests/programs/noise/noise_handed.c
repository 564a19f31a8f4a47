/* SPDX-License-Identifier: MIT */
/*
 * Free threads are handed things by the kernel: messages and semaphores of System V, messages of a
 * queue, ends of children, ticks of a timer; and print texts meanwhile, which counts the same
 * whatever the others are in.  Who got what comes again in a replay, so that the program ends with
 * the same status.
 *
 * RUN    plait test -s noise -n 1 --expect-exit=255
 * EXPECT exit exit=1
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMES = 4, TEXTS = 100 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned sum;
static int letters, set, timer;
static mqd_t queue;

static void add(unsigned value)
{
    pthread_mutex_lock(&lock);
    sum = sum * 7 + value;
    pthread_mutex_unlock(&lock);
}

static void change(short by)
{
    struct sembuf one = {0, by, 0};

    assert(semop(set, &one, 1) == 0);
}

static void *send_all(void *number)
{
    for (int i = 0; i < TIMES; i++) {
        char text[sizeof(long) + 1] = {1};

        text[sizeof(long)] = (char)(i + (long)number);
        assert(msgsnd(letters, text, 1, 0) == 0 &&
               mq_send(queue, text + sizeof(long), 1, (unsigned)i % 2) == 0);
        change(1);
    }
    return NULL;
}

static void *receive_all(void *arg)
{
    for (int i = 0; i < TIMES; i++) {
        char text[sizeof(long) + 1], byte;
        struct timespec soon = {0, 200000};
        struct sembuf one = {0, -1, 0};

        assert(msgrcv(letters, text, 1, 0, 0) == 1 && mq_receive(queue, &byte, 1, NULL) == 1);
        add((unsigned char)text[sizeof(long)] + (unsigned char)byte);
        if (semtimedop(set, &one, 1, &soon) != 0) {
            assert(errno == EAGAIN);
            change(-1);
            add(1);
        }
    }
    return arg;
}

static void *have_children(void *arg)
{
    char text[64];
    int status;

    for (int i = 0; i < TIMES; i++) {
        pid_t child = fork();

        if (child == 0)
            _exit(i);
        for (int k = 0; k < TEXTS; k++)
            assert(snprintf(text, sizeof(text), "as wide as %3d", k) == (int)strlen(text));
        assert(waitpid(child, &status, 0) == child);
        add((unsigned)WEXITSTATUS(status));
    }
    return arg;
}

static void *have_ticks(void *number)
{
    uint64_t ticks;

    for (int i = 0; i < TIMES; i++) {
        assert(read(timer, &ticks, sizeof(ticks)) == sizeof(ticks));
        add((unsigned)(long)number);
    }
    return NULL;
}

int main(void)
{
    void *(*const work[])(void *) = {send_all,      send_all,      receive_all, receive_all,
                                     have_children, have_children, have_ticks,  have_ticks};
    enum { THREADS = sizeof(work) / sizeof(work[0]) };
    const struct itimerspec often = {{0, 200000}, {0, 200000}};
    struct mq_attr narrow = {.mq_maxmsg = 1, .mq_msgsize = 1};
    pthread_t threads[THREADS];
    char name[32];

    snprintf(name, sizeof(name), "/noise-handed-%d", (int)getpid());
    queue = mq_open(name, O_RDWR | O_CREAT, 0600, &narrow);
    letters = msgget(IPC_PRIVATE, 0600);
    set = semget(IPC_PRIVATE, 1, 0600);
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    assert(timerfd_settime(timer, 0, &often, NULL) == 0 && queue >= 0 && letters >= 0 && set >= 0 &&
           mq_unlink(name) == 0);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work[i], (void *)(10 * i));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    msgctl(letters, IPC_RMID, NULL);
    semctl(set, 0, IPC_RMID);
    exit(sum % 255);
}
