/* SPDX-License-Identifier: MIT */
/*
 * A timer goes off before somebody looks at it, or after that, or never: then it was deleted first.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=3 executions=4
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=3
 */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static void *nothing(void *arg)
{
    return arg;
}

int main(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct itimerspec soon = {.it_value.tv_nsec = 100000}, left;
    pthread_t thread;
    timer_t timer;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &soon, NULL);
    timer_gettime(timer, &left);
    timer_delete(timer);
    return 0;
}
