/* SPDX-License-Identifier: MIT */
/*
 * The end of what comes through a pipe: whoever reads it knows what was done before the other
 * end was closed.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it does not know what a pipe orders
 * TSAN race: for it, to close an end orders nothing
 */
#include "two.h"

static int ends[2];
int data;

static void *writer(void *arg)
{
    data = 1;
    close(ends[1]);
    return arg;
}

static void *reader(void *arg)
{
    char c;

    if (read(ends[0], &c, 1) == 0)
        return seen(arg, data);
    return arg;
}

int main(void)
{
    if (pipe(ends) != 0)
        return 2;
    return both(writer, reader);
}
