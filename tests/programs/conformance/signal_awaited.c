/* SPDX-License-Identifier: MIT */
/*
 * A signal for the process stays with it until somebody takes it, also if a thread waits for it:
 * others see it pending meanwhile.  Of two that wait for it each gets one if there are two.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=01,11,00,10
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=01,11,00,10
 *
 * RUN    -DWAITERS=2 plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DWAITERS=2 plait test -s dpor
 * EXPECT clean complete
 *
 * What a thread has sent itself it would not have without that.
 *
 * RUN    -DWAITERS=0 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#ifndef WAITERS
#define WAITERS 1
#endif

static sigset_t set;

static void *take_now(void *arg)
{
    *(int *)arg = sigtimedwait(&set, NULL, &(struct timespec){0}) == SIGUSR1;
    return NULL;
}

static void *take(void *arg)
{
    int got;

    *(int *)arg = sigwait(&set, &got) == 0 && got == SIGUSR1;
    kill(getpid(), SIGUSR1);
    return NULL;
}

static void *send_and_take(void *arg)
{
    kill(getpid(), SIGUSR1);
    return take_now(arg);
}

static void *look(void *arg)
{
    sigset_t pending;

    sigpending(&pending);
    *(int *)arg = sigismember(&pending, SIGUSR1);
    return NULL;
}

int main(void)
{
    int seen = 0, taken = 0;
    pthread_t a, b;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&a, NULL, WAITERS > 1 ? take : look, &seen);
    pthread_create(&b, NULL, WAITERS > 1 ? take : WAITERS == 0 ? send_and_take : take_now, &taken);
    if (WAITERS > 0)
        kill(getpid(), SIGUSR1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (WAITERS == 1)
        printf("%d%d\n", seen, taken);
    return 0;
}
