/* SPDX-License-Identifier: MIT */
/*
 * A write of eight bytes and a read of two of them.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

union {
    unsigned long whole;
    unsigned short parts[4];
} number;

static void *first(void *arg)
{
    number.whole = 1; /* @here */
    return arg;
}

static void *second(void *arg)
{
    return seen(arg, number.parts[2]); /* @here */
    return arg;
}

int main(void)
{
    return both(first, second);
}
