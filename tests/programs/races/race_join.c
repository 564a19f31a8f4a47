/* SPDX-License-Identifier: MIT */
/*
 * What a thread did is known to whoever has joined it.
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

static void *writer(void *arg)
{
    data = 1; /* @here */
    return arg;
}

int main(void)
{
    pthread_t t;
    int value = 0;

    pthread_create(&t, NULL, writer, NULL);
    if (RACE)
        value = data; /* @here */
    pthread_join(t, NULL);
    return value + data > 2;
}
