/* SPDX-License-Identifier: MIT */
/*
 * A ticket lock: correct.
 * -DBROKEN=1 draws the ticket in two steps, so two threads may hold the same.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DBROKEN=1 plait test -s random -n 2000
 * EXPECT assertion|livelock exit=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifndef BROKEN
#define BROKEN 0
#endif

static atomic_uint ticket, serving;
static volatile int counter;

static void lock(void)
{
    unsigned mine;

    if (BROKEN) {
        mine = ticket;
        ticket = mine + 1;
    } else {
        mine = atomic_fetch_add(&ticket, 1);
    }
    while (serving != mine)
        sched_yield();
}

static void *add(void *arg)
{
    int old;

    lock();
    old = counter;
    counter = old + 1;
    atomic_fetch_add(&serving, 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    assert(counter == 2);
    return 0;
}
