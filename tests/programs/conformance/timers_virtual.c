/* SPDX-License-Identifier: MIT */
/*
 * Timers go off in virtual time: an alarm, one by timer_create() that was made before the first
 * thread, one that calls a function in a thread of its own.  Nobody sleeps past them.  One that
 * would kill the program does not go off before its time.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s random -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 50 --restart fork
 * EXPECT clean exit=0
 *
 * RUN    plait test -s noise -n 3
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t rang;
static sem_t called;
static timer_t timer;

static void ring(int number)
{
    rang = number;
}

static void call(union sigval value)
{
    sigset_t all;

    (void)value;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL); /* or the alarm might be handled here, and late */
    sem_post(&called);
}

static void *wait_for_call(void *arg)
{
    struct itimerspec soon = {.it_value.tv_nsec = 1000000}, left;

    assert(timer_settime(timer, 0, &soon, NULL) == 0);
    while (sem_wait(&called) != 0)
        ;
    assert(timer_gettime(timer, &left) == 0 && left.it_value.tv_nsec == 0);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = ring};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = call};
    pthread_t t;

    sem_init(&called, 0, 0);
    assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    assert(alarm(1000) == 0); /* which would kill */
    pthread_create(&t, NULL, wait_for_call, NULL);
    assert(pthread_join(t, NULL) == 0);
    assert(alarm(0) == 1000);
    sigaction(SIGALRM, &action, NULL);
    assert(alarm(1) == 0);
    sleep(5);
    assert(rang == SIGALRM);
    return timer_delete(timer);
}
