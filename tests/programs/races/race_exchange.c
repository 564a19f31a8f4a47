/* SPDX-License-Identifier: MIT */
/*
 * An exchange that acquires and releases.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it knows nothing that atomic operations order
 */
#include "two.h"

#include <stdatomic.h>

static atomic_int ready;
int data;

static void *writer(void *arg)
{
    data = 1; /* @here */
    atomic_exchange_explicit(&ready, 1, memory_order_acq_rel);
    return arg;
}

static void *reader(void *arg)
{
    if (atomic_exchange_explicit(&ready, 2, memory_order_acq_rel) == 1)
        return seen(arg, data);
    return arg;
}

int main(void)
{
    return both(writer, reader);
}
