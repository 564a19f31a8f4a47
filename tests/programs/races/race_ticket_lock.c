/* SPDX-License-Identifier: MIT */
/*
 * A ticket lock: the ticket may be drawn relaxed, the turn must be read with acquire.
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

static atomic_int tickets, turn;
int data;

static void *work(void *arg)
{
    int mine = atomic_fetch_add_explicit(&tickets, 1, memory_order_relaxed);

    while (atomic_load_explicit(&turn, RACE ? memory_order_relaxed : memory_order_acquire) != mine)
        ;
    data = 1; /* @here */
    atomic_store_explicit(&turn, mine + 1, memory_order_release);
    return arg;
}

int main(void)
{
    return both(work, work);
}
