/* SPDX-License-Identifier: MIT */
/*
 * A read-modify-write operation of another thread continues a release sequence, relaxed as it
 * may be: who reads its value with acquire knows what was released at its head. A relaxed
 * store breaks the sequence.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones
 * TSAN clean -DRACE=1: a relaxed store leaves what was released there
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

static void *middle(void *arg)
{
    int one = 1;

    if (!RACE)
        atomic_compare_exchange_strong_explicit(&ready, &one, 2, memory_order_relaxed,
                                                memory_order_relaxed);
    else if (atomic_load_explicit(&ready, memory_order_relaxed) == 1)
        atomic_store_explicit(&ready, 2, memory_order_relaxed);
    return arg;
}

static void *reader(void *arg)
{
    if (atomic_load_explicit(&ready, memory_order_acquire) == 2)
        return seen(arg, data); /* @here */
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, middle, NULL);
    both(writer, reader);
    return pthread_join(t, NULL);
}
