/* SPDX-License-Identifier: MIT */
/*
 * A plain write is a race also with those who read atomically.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

#include <stdatomic.h>

static atomic_int count;

static void *first(void *arg)
{
    return seen(arg, atomic_load(&count)); /* @here */
}

static void *second(void *arg)
{
    *(int *)&count = 2; /* @here */
    return arg;
}

int main(void)
{
    return both(first, second);
}
