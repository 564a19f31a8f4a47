/* SPDX-License-Identifier: MIT */
/*
 * memcpy() reads and writes what it copies and nothing beside it.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

#include <string.h>

#ifndef RACE
#define RACE 0
#endif

char from[40], to[40];

static void *first(void *arg)
{
    memcpy(to, from, 20 + RACE); /* @here */
    return arg;
}

static void *second(void *arg)
{
    to[20] = 1; /* @here */
    return arg;
}

int main(void)
{
    return both(first, second);
}
