/* SPDX-License-Identifier: MIT */
/*
 * A sequence lock, with data that is atomic but relaxed. With plain data the reader's accesses
 * are a race, although it throws away what it read.
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

static atomic_uint sequence;
#if RACE
static int data;
#define STORE(value) (data = (value))
#define LOAD() data
#else
static atomic_int data;
#define STORE(value) atomic_store_explicit(&data, value, memory_order_relaxed)
#define LOAD() atomic_load_explicit(&data, memory_order_relaxed)
#endif

static void *writer(void *arg)
{
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    STORE(1); /* @here */
    atomic_store_explicit(&sequence, 2, memory_order_release);
    return arg;
}

static void *reader(void *arg)
{
    unsigned before, after;
    int value;

    do {
        before = atomic_load_explicit(&sequence, memory_order_acquire);
        value = LOAD(); /* @here */
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&sequence, memory_order_relaxed);
    } while (before != after || before % 2 != 0);
    return seen(arg, value);
}

int main(void)
{
    return both(writer, reader);
}
