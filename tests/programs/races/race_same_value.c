/* SPDX-License-Identifier: MIT */
/*
 * A write of the value that is there already is a write.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

int flag = 1;

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
