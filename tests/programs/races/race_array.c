/* SPDX-License-Identifier: MIT */
/*
 * Each thread has its own elements, but for the last one.
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

int cells[6];

static void *first(void *arg)
{
    for (int i = 0; i < 3 + RACE; i++)
        cells[i] = 1; /* @here */
    return arg;
}

static void *second(void *arg)
{
    for (int i = 3; i < 6; i++)
        cells[i] = 2; /* @here */
    return arg;
}

int main(void)
{
    return both(first, second);
}
