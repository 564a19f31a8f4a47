/* SPDX-License-Identifier: MIT */
/*
 * A lock made of a compare-exchange and a store; with a relaxed store it orders nothing.
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

static atomic_int lock;
int data;

static void *work(void *arg)
{
    int unlocked = 0;

    while (!atomic_compare_exchange_weak_explicit(&lock, &unlocked, 1, memory_order_acquire,
                                                  memory_order_relaxed))
        unlocked = 0;
    data = 1; /* @here */
    atomic_store_explicit(&lock, 0, RACE ? memory_order_relaxed : memory_order_release);
    return arg;
}

int main(void)
{
    return both(work, work);
}
