/* SPDX-License-Identifier: MIT */
/*
 * Dekker's entry: two sequentially consistent flags. Whoever finds the other one down has the
 * data to itself.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones
 */
#include "two.h"

#include <stdatomic.h>

static atomic_int wants[2];
int data;

static void *first(void *arg)
{
    atomic_store(&wants[0], 1);
    if (!atomic_load(&wants[1]))
        data = 1;
    atomic_store(&wants[0], 0);
    return arg;
}

static void *second(void *arg)
{
    atomic_store(&wants[1], 1);
    if (!atomic_load(&wants[0]))
        data = 2;
    atomic_store(&wants[1], 0);
    return arg;
}

int main(void)
{
    return both(first, second);
}
