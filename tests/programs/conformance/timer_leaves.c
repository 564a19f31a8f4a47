/* SPDX-License-Identifier: MIT */
/*
 * A handler that ends its thread, when a timer has gone off: it may come before a thread is
 * created, which then never is.  Searches by classes do not look there, so they must not claim to
 * be complete.  -DWAITS: it does not end, but waits for what that thread would do, in one of
 * several ways.
 *
 * RUN    plait test -s dpor
 * EXPECT clean incomplete ended~but.for.*ends.its.thread.in.a.handler
 *
 * RUN    -DWAITS=1 plait test -s dpor
 * EXPECT clean incomplete ended~but.for.*waits.in.a.handler
 *
 * RUN    -DWAITS=2 plait test -s dpor
 * EXPECT clean incomplete ended~but.for.*waits.in.a.handler
 *
 * RUN    -DRETURNS=1 plait test -s dpor
 * EXPECT clean complete
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#ifndef WAITS
#define WAITS 0
#endif
#ifndef RETURNS
#define RETURNS 0
#endif

static sem_t posted;
static int ends[2];
static pthread_t self;

static void leave(int signo)
{
    (void)signo;
    char byte;

    if (WAITS == 1 && pthread_equal(self, pthread_self()))
        sem_wait(&posted);
    else if (WAITS == 2 && pthread_equal(self, pthread_self()))
        (void)!read(ends[0], &byte, 1);
    else if (!WAITS && !RETURNS)
        pthread_exit(NULL);
}

static void *post(void *arg)
{
    sem_post(&posted);
    return write(ends[1], "a", 1) == 1 ? arg : NULL;
}

int main(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct itimerspec soon = {.it_value = {.tv_nsec = 1000}};
    pthread_t t;
    timer_t timer;
    sigset_t all;

    self = pthread_self();
    sem_init(&posted, 0, 0);
    if (pipe(ends) != 0)
        return 2;
    sigfillset(&all);
    signal(SIGUSR1, leave);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &soon, NULL);
    pthread_create(&t, NULL, post, NULL);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pthread_join(t, NULL);
    return 0;
}
