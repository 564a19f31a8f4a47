/* SPDX-License-Identifier: MIT */
/*
 * Every thread has its own; unless one hands out the address.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones; threads use the same
 *         storage one after the other
 * HELGRIND clean -DRACE=1: the store becomes an exchange, which it takes for a lock
 */
#include "two.h"

#include <stdatomic.h>

#ifndef RACE
#define RACE 0
#endif

static _Thread_local int own;
static int *_Atomic published;

static void *first(void *arg)
{
    own = 1; /* @here */
    if (RACE)
        atomic_store(&published, &own);
    own = 2; /* @here */
    if (RACE)
        usleep(400000);
    return arg;
}

static void *second(void *arg)
{
    int *other = atomic_load(&published);

    own = 3;
    return seen(arg, own + (other != NULL ? *other : 0)); /* @here */
}

int main(void)
{
    return both(first, second);
}
