/* SPDX-License-Identifier: MIT */
/*
 * A whole struct is assigned while one of its members is written.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

struct item {
    int numbers[12];
} source, target;

static void *first(void *arg)
{
    target = source; /* @here */
    return arg;
}

static void *second(void *arg)
{
    source.numbers[11] = 1; /* @here */
    return arg;
}

int main(void)
{
    return both(first, second);
}
