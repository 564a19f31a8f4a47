/* SPDX-License-Identifier: MIT */
/*
 * A relaxed store of the same thread ends its release sequence: since C++20 only read-modify-
 * write operations continue one. In C11 and C++11 it would go on.
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
    if (RACE)
        atomic_store_explicit(&ready, 2, memory_order_relaxed);
    else
        atomic_fetch_add_explicit(&ready, 1, memory_order_relaxed);
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
    return both(writer, reader);
}
