/* SPDX-License-Identifier: MIT */
/*
 * Neighbouring bit-fields are one memory location, whatever their names: one thread writes a
 * field, the other reads its neighbour.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

struct {
    unsigned one : 4, two : 4;
} fields;

static void *first(void *arg)
{
    fields.one = 1; /* @here */
    return arg;
}

static void *second(void *arg)
{
    return seen(arg, fields.two); /* @here */
}

int main(void)
{
    return both(first, second);
}
