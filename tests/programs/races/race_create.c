/* SPDX-License-Identifier: MIT */
/*
 * What was done before a thread was created is known to it, what its creator does after is
 * not.
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

int data;

static void *reader(void *arg)
{
    return seen(arg, data); /* @here */
}

int main(void)
{
    pthread_t t;

    if (!RACE)
        data = 1;
    pthread_create(&t, NULL, reader, NULL);
    if (RACE)
        data = 1; /* @here */
    return pthread_join(t, NULL);
}
