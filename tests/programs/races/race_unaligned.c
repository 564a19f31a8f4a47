/* SPDX-License-Identifier: MIT */
/*
 * A number that lies across two words, and a byte at its end or behind it.
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

struct {
    char before[6];
    int number;
    char behind;
} __attribute__((packed, aligned(8))) data;

static void *first(void *arg)
{
    data.number = 1; /* @here */
    return arg;
}

static void *second(void *arg)
{
    ((char *)&data)[RACE ? 9 : 10] = 2; /* @here */
    return arg;
}

int main(void)
{
    return both(first, second);
}
