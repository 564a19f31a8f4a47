/* SPDX-License-Identifier: MIT */
/*
 * A number in two halves: each half is published by its own store, and both are taken by one
 * load.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones
 * TSAN race: what is released at the second half is not found by the load
 */
#include "two.h"

#include <stdatomic.h>

static union {
    atomic_uint halves[2];
    atomic_ullong whole;
} ready;
int data[2];

static void *first(void *arg)
{
    data[0] = 1;
    atomic_store_explicit(&ready.halves[0], 1, memory_order_release);
    return arg;
}

static void *second(void *arg)
{
    data[1] = 1;
    atomic_store_explicit(&ready.halves[1], 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    int value = 0;

    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    if (atomic_load_explicit(&ready.whole, memory_order_acquire) == 0x100000001)
        value = data[0] + data[1];
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return value > 2;
}
