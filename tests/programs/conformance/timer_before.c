/* SPDX-License-Identifier: MIT */
/*
 * A timer that is set before the first thread goes off while that works, or never: it ends with the
 * signal that it sends, and who goes on then is no question of before.
 *
 * RUN    plait test -s dfs
 * EXPECT assertion location~@here exit=1
 *
 * RUN    plait test -s dpor
 * EXPECT assertion location~@here exit=1
 *
 * RUN    plait test -s random -n 1000
 * EXPECT assertion location~@here exit=1
 *
 * RUN    -DALARM=1 plait test -s dfs
 * EXPECT assertion location~@alarm exit=1
 *
 * RUN    -DALARM=1 plait test -s dpor
 * EXPECT assertion location~@alarm exit=1
 *
 * RUN    -DALARM=1 plait test
 * EXPECT assertion location~@alarm exit=1
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static volatile int n, busy, done;

static void handle(int signo)
{
    (void)signo;
#ifdef ALARM
    assert(!busy); /* @alarm */
#endif
    n++;
}

static void *works(void *arg)
{
    busy = 1;
    done++;
    busy = 0;
    return arg;
}

int main(void)
{
    struct sigevent event
        __attribute__((unused)) = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    struct itimerspec second __attribute__((unused)) = {.it_value.tv_sec = 1};
    timer_t timer __attribute__((unused));
    pthread_t thread;

    signal(SIGALRM, handle);
#ifdef ALARM
    alarm(1);
#else
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &second, NULL);
#endif
    pthread_create(&thread, NULL, works, NULL);
    pthread_join(thread, NULL);
    works(NULL);
#ifndef ALARM
    timer_delete(timer);
    assert(n == 0); /* @here */
#endif
    return 0;
}
