/* SPDX-License-Identifier: MIT */
/*
 * volatile is no synchronisation.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

volatile int flag;

static void *first(void *arg)
{
    flag = 1; /* @here */
    return arg;
}

static void *second(void *arg)
{
    return seen(arg, flag); /* @here */
    return arg;
}

int main(void)
{
    return both(first, second);
}
