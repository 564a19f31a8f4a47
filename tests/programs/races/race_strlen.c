/* SPDX-License-Identifier: MIT */
/*
 * strlen() reads as far as the text goes.
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

char room[16] = "four";

static void *first(void *arg)
{
    return seen(arg, (long)strlen(room)); /* @here */
    return arg;
}

static void *second(void *arg)
{
    room[RACE ? 3 : 5] = 1; /* @here */
    return arg;
}

int main(void)
{
    return both(first, second);
}
