/* SPDX-License-Identifier: MIT */
/*
 * Bytes of the same word: each thread its own, or the same.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

#ifndef RACE
#define RACE 0
#endif

char bytes[8];

static void *first(void *arg)
{
    bytes[3] = 1; /* @here */
    return arg;
}

static void *second(void *arg)
{
    bytes[RACE ? 3 : 4] = 2; /* @here */
    return arg;
}

int main(void)
{
    return both(first, second);
}
