/* SPDX-License-Identifier: MIT */
/*
 * Order goes on: the first tells the second by one flag, the second tells the third by
 * another.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones
 */
#include "two.h"

#include <stdatomic.h>

static atomic_int one, two;
int data;

static void *first(void *arg)
{
    data = 1;
    atomic_store_explicit(&one, 1, memory_order_release);
    return arg;
}

static void *second(void *arg)
{
    if (atomic_load_explicit(&one, memory_order_acquire))
        atomic_store_explicit(&two, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    int value = 0;

    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    if (atomic_load_explicit(&two, memory_order_acquire))
        value = data;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return value > 1;
}
