/* SPDX-License-Identifier: MIT */
/*
 * Whoever comes to pthread_once() knows what the initialisation did; who looks without asking
 * does not.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * HELGRIND race: it does not know what pthread_once() orders
 */
#include "two.h"

#ifndef RACE
#define RACE 0
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
int data;

static void init(void)
{
    data = 1; /* @here */
}

static void *first(void *arg)
{
    pthread_once(&once, init);
    return seen(arg, data);
}

static void *second(void *arg)
{
    if (!RACE)
        pthread_once(&once, init);
    return seen(arg, data); /* @here */
}

int main(void)
{
    return both(first, second);
}
