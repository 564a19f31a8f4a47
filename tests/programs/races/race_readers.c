/* SPDX-License-Identifier: MIT */
/*
 * Any number of readers is no race.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 */
#include "two.h"

int data = 5;

static void *first(void *arg)
{
    return seen(arg, data);
    return arg;
}

static void *second(void *arg)
{
    return seen(arg, data);
    return arg;
}

int main(void)
{
    return both(first, second);
}
