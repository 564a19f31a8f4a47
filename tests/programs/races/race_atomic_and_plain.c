/* SPDX-License-Identifier: MIT */
/*
 * An atomic and a plain access to the same number: a race if one of them writes.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * HELGRIND clean -DRACE=1: the store becomes an exchange, which it takes for a lock
 */
#include "two.h"

#include <stdatomic.h>

#ifndef RACE
#define RACE 0
#endif

static atomic_int count;

static void *first(void *arg)
{
    if (RACE)
        atomic_store(&count, 1); /* @here */
    return seen(arg, atomic_load(&count));
}

static void *second(void *arg)
{
    return seen(arg, *(int *)&count); /* @here */
}

int main(void)
{
    return both(first, second);
}
