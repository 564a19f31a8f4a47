/* SPDX-License-Identifier: MIT */
/*
 * A barrier separates what comes before it from what comes after it, not what is on the same
 * side.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

#ifndef RACE
#define RACE 0
#endif

static pthread_barrier_t gate;
int data;

static void *first(void *arg)
{
    if (!RACE)
        data = 1;
    pthread_barrier_wait(&gate);
    if (RACE)
        data = 1; /* @here */
    return arg;
}

static void *second(void *arg)
{
    pthread_barrier_wait(&gate);
    data = 2; /* @here */
    return arg;
}

int main(void)
{
    pthread_barrier_init(&gate, NULL, 2);
    return both(first, second);
}
