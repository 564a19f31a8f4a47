/* SPDX-License-Identifier: MIT */
/*
 * setjmp() before the root, longjmp() back to it during the execution: out of the frames that
 * run it, into one below them.  And in each thread jumps out of deep calls, also from a signal
 * handler.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static jmp_buf before;
static _Thread_local sigjmp_buf out;
static atomic_int turn;
static volatile int jumps;

static void leave(int number)
{
    siglongjmp(out, number);
}

static void dive(int depth)
{
    volatile char frame[1000];

    frame[depth] = 0;
    turn++;
    if (depth > 0)
        dive(depth - 1 + frame[depth]);
    else
        raise(SIGUSR1);
    turn = 100; /* nobody comes back here */
}

static void *thread(void *arg)
{
    sigset_t now;

    if (sigsetjmp(out, 1) == 0)
        dive(3);
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    assert(!sigismember(&now, SIGUSR1)); /* as sigsetjmp() has saved it */
    return arg;
}

static void execution(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(jumps == 0); /* @fresh */
    jumps = 1;
    thread(NULL);
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 8);
    longjmp(before, 1);
}

int main(int argc, char **argv)
{
    (void)argv;
    signal(SIGUSR1, leave);
    if (setjmp(before) == 0)
        execution();
    assert(jumps == 1);
    if (argc > 1)
        execution();
    return 0;
}
