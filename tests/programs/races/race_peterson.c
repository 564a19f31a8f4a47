/* SPDX-License-Identifier: MIT */
/*
 * Peterson's lock with sequentially consistent atomics; with plain variables the variables
 * themselves are a race.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones
 */
#include "two.h"

#include <stdatomic.h>

static atomic_int wants[2], last;
int data;

static void enter(int self)
{
    atomic_store(&wants[self], 1);
    atomic_store(&last, self);
    while (atomic_load(&wants[1 - self]) && atomic_load(&last) == self)
        ;
}

static void *first(void *arg)
{
    enter(0);
    data = 1;
    atomic_store(&wants[0], 0);
    return arg;
}

static void *second(void *arg)
{
    enter(1);
    data = 2;
    atomic_store(&wants[1], 0);
    return arg;
}

int main(void)
{
    return both(first, second);
}
