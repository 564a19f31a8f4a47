/* SPDX-License-Identifier: MIT */
/*
 * Time is no order: the reader sleeps long enough, and yet.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

int data;

static void *writer(void *arg)
{
    data = 1; /* @here */
    return arg;
}

static void *reader(void *arg)
{
    usleep(50000);
    return seen(arg, data); /* @here */
}

int main(void)
{
    return both(writer, reader);
}
