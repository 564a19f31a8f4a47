/* SPDX-License-Identifier: MIT */
/*
 * mq_notify() with SIGEV_THREAD: the thread that libc makes when a message comes is one like any
 * other.
 *
 * RUN    -DCASE=waits plait test -s noise -n 15
 * EXPECT clean
 *
 * RUN    -DCASE=waits plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DCASE=waits plait test -s random -n 50
 * EXPECT clean
 *
 * RUN    -DCASE=looks plait test -s dfs --outputs
 * EXPECT clean complete outputs=0,1
 *
 * RUN    -DCASE=looks plait test -s dpor --outputs
 * EXPECT clean complete outputs=0,1
 *
 * RUN    -DCASE=too_early plait test -s dfs
 * EXPECT assertion
 *
 * RUN    -DCASE=too_early plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DCASE=taken_back plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DCASE=waits native
 * EXPECT exit=0
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* All processes of the machine see it: the other build of this program is to have another. */
#ifdef __clang__
#define NAME "/plait-threads-queue-clang"
#else
#define NAME "/plait-threads-queue-gcc"
#endif

static mqd_t queue;
static sem_t done;
static atomic_int called;

static void take(union sigval value)
{
    char text[8];

    assert(value.sival_int == 3);
    assert(mq_receive(queue, text, sizeof(text), NULL) == 1 && text[0] == 'x');
    called = 1;
    sem_post(&done);
}

static void ask(void)
{
    struct sigevent event = {
        .sigev_notify = SIGEV_THREAD, .sigev_notify_function = take, .sigev_value.sival_int = 3};

    assert(mq_notify(queue, &event) == 0);
    assert(mq_notify(queue, &event) == -1 && errno == EBUSY);
}

__attribute__((unused)) static void waits(void)
{
    ask();
    assert(mq_send(queue, "x", 1, 0) == 0);
    assert(sem_wait(&done) == 0 && called);
}

__attribute__((unused)) static void looks(void)
{
    ask();
    assert(mq_send(queue, "x", 1, 0) == 0);
    printf("%d\n", called);
    assert(sem_wait(&done) == 0);
}

/* Wrong: the function may not have been called yet. */
__attribute__((unused)) static void too_early(void)
{
    ask();
    assert(mq_send(queue, "x", 1, 0) == 0);
    assert(called);
}

__attribute__((unused)) static void taken_back(void)
{
    ask();
    assert(mq_notify(queue, NULL) == 0);
    assert(mq_send(queue, "x", 1, 0) == 0);
    assert(!called);
}

int main(void)
{
    struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = 8};

    queue = mq_open(NAME, O_RDWR | O_CREAT, 0600, &attributes);
    assert(queue >= 0 && mq_unlink(NAME) == 0);
    assert(sem_init(&done, 0, 0) == 0);
    CASE();
    return 0;
}
