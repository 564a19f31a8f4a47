/* SPDX-License-Identifier: MIT */
/*
 * memmove() within a buffer, and somebody who reads the part it writes.
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
static size_t n = 16;

static void *first(void *arg)
{
    memmove(room + 8, room, n); /* @here */
    return arg;
}

static void *second(void *arg)
{
    return seen(arg, room[RACE ? 23 : 5]); /* @here */
    return arg;
}

int main(void)
{
    return both(first, second);
}
