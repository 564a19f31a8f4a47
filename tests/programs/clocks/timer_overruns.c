/* SPDX-License-Identifier: MIT */
/*
 * A timer that goes off again before its signal has been taken has no second one in the queue: it
 * counts how often it has.
 *
 * RUN    plait test -s random -n 5
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static void *nothing(void *arg)
{
    return arg;
}

int main(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    struct itimerspec often = {.it_value = {0, 1000000}, .it_interval = {0, 1000000}};
    pthread_t thread;
    siginfo_t info;
    sigset_t set;
    timer_t timer;

    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, nothing, NULL);
    assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    timer_settime(timer, 0, &often, NULL);
    usleep(5500);
    assert(sigwaitinfo(&set, &info) == SIGRTMIN);
    assert(info.si_overrun >= 4 && timer_getoverrun(timer) == info.si_overrun);
    timer_delete(timer);
    pthread_join(thread, NULL);
    return 0;
}
