/* SPDX-License-Identifier: MIT */
/*
 * A release store is enough for a sequentially consistent load.
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
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

static void *reader(void *arg)
{
    if (atomic_load_explicit(&ready, memory_order_seq_cst))
        return seen(arg, data); /* @here */
    return arg;
}

int main(void)
{
    return both(writer, reader);
}
