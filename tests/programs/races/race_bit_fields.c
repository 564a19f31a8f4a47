/* SPDX-License-Identifier: MIT */
/*
 * Neighbouring bit-fields are one memory location; a field of width 0 separates them.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 */
#include "two.h"

#ifndef RACE
#define RACE 0
#endif

struct {
    unsigned one : 4;
#if !RACE
    unsigned : 0;
#endif
    unsigned two : 4;
} fields;

static void *first(void *arg)
{
    fields.one = 1; /* @here */
    return arg;
}

static void *second(void *arg)
{
    fields.two = 2; /* @here */
    return arg;
}

int main(void)
{
    return both(first, second);
}
