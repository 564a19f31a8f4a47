/* SPDX-License-Identifier: MIT */
/*
 * To print is no order, though libc locks the stream inside; to lock the stream is.
 *
 * RUN    plait test -s dfs --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dfs --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * TSAN race: it does not know flockfile()
 * HELGRIND race: it does not know flockfile()
 */
#include "two.h"

#include <stdio.h>

#ifndef RACE
#define RACE 0
#endif

int data;

static void *first(void *arg)
{
    if (!RACE)
        flockfile(stdout);
    data = 1; /* @here */
    fputs("first\n", stdout);
    if (!RACE)
        funlockfile(stdout);
    return arg;
}

static void *second(void *arg)
{
    if (!RACE)
        flockfile(stdout);
    fputs("second\n", stdout);
    data = 2; /* @here */
    if (!RACE)
        funlockfile(stdout);
    return arg;
}

int main(void)
{
    return both(first, second);
}
