/* SPDX-License-Identifier: MIT */
/*
 * sigsuspend() opens a signal and waits in one step, so that it cannot be lost; a test before
 * pause() can lose it, and then the thread sleeps for ever.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s noise -n 10
 * EXPECT clean exit=0
 *
 * RUN    -DPAUSE=1 plait test -s dpor
 * EXPECT deadlock exit=1
 *
 * RUN    -DPAUSE=1 plait test -s dfs
 * EXPECT deadlock exit=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#ifndef PAUSE
#define PAUSE 0
#endif

static volatile sig_atomic_t seen;
static sigset_t before;

static void handle(int number)
{
    seen = number;
}

static void *waiter(void *arg)
{
    while (!seen) {
        if (PAUSE)
            pause();
        else
            sigsuspend(&before);
    }
    return arg;
}

int main(void)
{
    sigset_t set;
    pthread_t t;

    signal(SIGUSR1, handle);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(PAUSE ? SIG_UNBLOCK : SIG_BLOCK, &set, &before);
    pthread_create(&t, NULL, waiter, NULL);
    assert(pthread_kill(t, SIGUSR1) == 0);
    assert(pthread_join(t, NULL) == 0);
    return seen != SIGUSR1;
}
