/* SPDX-License-Identifier: MIT */
/*
 * What was done before a write to a pipe is known to whoever has read it.
 *
 * RUN    plait test -s dfs --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dfs --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * HELGRIND race: it does not know what a pipe orders
 */
#include "two.h"

#ifndef RACE
#define RACE 0
#endif

static int ends[2];
int data;

static void *writer(void *arg)
{
    data = 1; /* @here */
    if (write(ends[1], "x", 1) != 1)
        return NULL;
    return arg;
}

static void *reader(void *arg)
{
    char c;
    int value = 0;

    if (RACE)
        value = data; /* @here */
    if (read(ends[0], &c, 1) == 1)
        value += data;
    return seen(arg, value);
}

int main(void)
{
    if (pipe(ends) != 0)
        return 2;
    return both(writer, reader);
}
