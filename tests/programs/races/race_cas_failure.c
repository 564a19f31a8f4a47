/* SPDX-License-Identifier: MIT */
/*
 * A compare-exchange that fails is a load of its failure order.
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

static atomic_int ready;
int data;

static void *writer(void *arg)
{
    data = 1; /* @here */
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

static void *reader(void *arg)
{
    int expected = 5;

    atomic_compare_exchange_strong_explicit(&ready, &expected, 6, memory_order_acq_rel,
                                            RACE ? memory_order_relaxed : memory_order_acquire);
    if (expected == 1)
        return seen(arg, data); /* @here */
    return arg;
}

int main(void)
{
    return both(writer, reader);
}
