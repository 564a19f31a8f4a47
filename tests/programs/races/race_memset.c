/* SPDX-License-Identifier: MIT */
/*
 * memset() writes.
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

char room[64];
static size_t n = 33;

static void *first(void *arg)
{
    memset(room, 1, n); /* @here */
    return arg;
}

static void *second(void *arg)
{
    return seen(arg, room[RACE ? 32 : 33]); /* @here */
    return arg;
}

int main(void)
{
    return both(first, second);
}
