/* SPDX-License-Identifier: MIT */
/*
 * strcpy() writes the text and its end.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

#include <string.h>

#ifndef RACE
#define RACE 0
#endif

char room[16];
static const char *text = "seven..";

static void *first(void *arg)
{
    strcpy(room, text); /* @here */
    return arg;
}

static void *second(void *arg)
{
    room[RACE ? 7 : 8] = 1; /* @here */
    return arg;
}

int main(void)
{
    return both(first, second);
}
