/* SPDX-License-Identifier: MIT */
/*
 * A loop of two looks, one of them a compare-exchange, beside threads that wait for each other and
 * one that nobody ends.  Every execution is a livelock.  The first comes about while
 * all wait, which the schedule says nothing of.
 *
 * RUN    plait test -s dpor -k
 * EXPECT livelock,livelock complete exit=1
 *
 * RUN    plait test -s dpor:source -k
 * EXPECT livelock,livelock complete exit=1
 *
 * RUN    plait test -s hapset:then=dpor -k
 * EXPECT livelock,livelock complete exit=1
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value[2], never, seen;

static void *changes(void *arg)
{
    atomic_fetch_add(&value[0], 1);
    value[1] = 2;
    while (never == 0)
        ;
    return arg;
}

static void *waits(void *arg)
{
    while (value[1] != 1)
        ;
    value[1] = 0;
    return arg;
}

static void *tries(void *arg)
{
    int two = 0;

    seen = never;
    while (two != 2) {
        while (value[1] == 2)
            ;
        two = 2;
        atomic_compare_exchange_strong(&value[1], &two, 2);
    }
    value[1] = 1;
    return arg;
}

int main(int n, char **arg)
{
    static void *(*const run[])(void *) = {changes, waits, tries};
    pthread_t t[3];

    if (n > 9)
        never = arg[9][0];
    for (unsigned i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, run[i], NULL);
    for (unsigned i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
