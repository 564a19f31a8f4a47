/* SPDX-License-Identifier: MIT */
/*
 * A thread waits for a signal: what the sender did before is known to it.
 *
 * RUN    plait test -s random -n 50 --detect race -k
 * EXPECT clean exit=0
 *
 * RUN    -DRACE=1 plait test -s random -n 50 --detect race -k
 * EXPECT race exit=1 location~@here
 *
 * TSAN race: it does not know what a signal orders
 * HELGRIND race: it does not know what a signal orders
 */
#include "two.h"

#include <signal.h>

#ifndef RACE
#define RACE 0
#endif

static sigset_t set;
int data;

static void *waiter(void *arg)
{
    int number;

    sigwait(&set, &number);
    return seen(arg, data); /* @here */
}

int main(void)
{
    pthread_t t;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, waiter, NULL);
    if (!RACE)
        data = 1;
    pthread_kill(t, SIGUSR1);
    if (RACE)
        data = 1; /* @here */
    return pthread_join(t, NULL);
}
