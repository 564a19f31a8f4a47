/* SPDX-License-Identifier: MIT */
/*
 * A reader announces itself and reads what is published; the writer publishes anew, waits
 * until no reader is left, and frees the old one.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones
 */
#include "two.h"

#include <stdatomic.h>
#include <stdlib.h>

#ifndef RACE
#define RACE 0
#endif

static int *_Atomic published;
static atomic_int readers;

static void *reader(void *arg)
{
    int value;

    atomic_store(&readers, 1);
    value = *atomic_load(&published); /* @here */
    atomic_store(&readers, 0);
    return seen(arg, value);
}

static void *writer(void *arg)
{
    int *old = atomic_load(&published), *new = calloc(1, sizeof(*new));

    *new = 1;
    atomic_store(&published, new);
    while (!RACE && atomic_load(&readers) != 0)
        ;
    free(old); /* @here */
    return arg;
}

int main(void)
{
    atomic_init(&published, calloc(1, sizeof(int)));
    both(reader, writer);
    free(atomic_load(&published));
    return 0;
}
