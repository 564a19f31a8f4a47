/* SPDX-License-Identifier: MIT */
/*
 * A ring buffer with one producer and one consumer. The consumer gives slots back by a release
 * store; relaxed, the producer's next write is unordered with the read before.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones
 */
#include "two.h"

#include <stdatomic.h>

#ifndef RACE
#define RACE 0
#endif

enum { SLOTS = 1, ITEMS = 2 };

static int slots[SLOTS];
static atomic_int written, taken;

static void *producer(void *arg)
{
    for (int i = 0; i < ITEMS; i++) {
        while (i - atomic_load_explicit(&taken, memory_order_acquire) == SLOTS)
            ;
        slots[i % SLOTS] = i; /* @here */
        atomic_store_explicit(&written, i + 1, memory_order_release);
    }
    return arg;
}

static void *consumer(void *arg)
{
    int sum = 0;

    for (int i = 0; i < ITEMS; i++) {
        while (atomic_load_explicit(&written, memory_order_acquire) == i)
            ;
        sum += slots[i % SLOTS]; /* @here */
        atomic_store_explicit(&taken, i + 1, RACE ? memory_order_relaxed : memory_order_release);
    }
    return seen(arg, sum);
}

int main(void)
{
    return both(producer, consumer);
}
