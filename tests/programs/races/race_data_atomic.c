/* SPDX-License-Identifier: MIT */
/*
 * The data is atomic itself: nothing has to order it.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones
 */
#include "two.h"

#include <stdatomic.h>

static atomic_int ready;
int data;

static void *writer(void *arg)
{
    data = 1; /* @here */
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return arg;
}

static void *reader(void *arg)
{
    int value = atomic_load_explicit(&ready, memory_order_relaxed);

    atomic_fetch_or_explicit(&ready, 2, memory_order_relaxed);
    return seen(arg, value);
    return arg;
}

int main(void)
{
    return both(writer, reader);
}
