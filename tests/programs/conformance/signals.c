/* SPDX-License-Identifier: MIT */
/*
 * Signal handlers run, in the thread that raises, and see its errno and thread
 * local variables; a program may handle its own SIGSEGV.
 *
 * RUN    plait test -s random -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 50 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

static _Thread_local volatile int mine;
static _Thread_local sigjmp_buf escape;

static void handle(int signal)
{
    mine = signal;
}

static void recover(int signal)
{
    siglongjmp(escape, signal);
}

static void *thread(void *arg)
{
    volatile int *volatile nowhere = NULL;

    assert(raise(SIGUSR1) == 0);
    assert(mine == SIGUSR1);
    mine = 0;
    assert(pthread_kill(pthread_self(), SIGUSR2) == 0);
    assert(mine == SIGUSR2);
    if (sigsetjmp(escape, 1) == 0) {
        *nowhere = 1;
        assert(!"not reached");
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    signal(SIGUSR1, handle);
    signal(SIGUSR2, handle);
    signal(SIGSEGV, recover);
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    thread(NULL);
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
