/* SPDX-License-Identifier: MIT */
/*
 * A release store, but the load is relaxed.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
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
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

static void *reader(void *arg)
{
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        return seen(arg, data); /* @here */
    return arg;
}

int main(void)
{
    return both(writer, reader);
}
