/* SPDX-License-Identifier: MIT */
/*
 * Order goes through several threads: creator to child to grandchild, and back by joins. A
 * grandchild that its parent does not join is unordered with main.
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

static pthread_t inner;
int data;

static void *grandchild(void *arg)
{
    data++; /* @here */
    return arg;
}

static void *child(void *arg)
{
    data++;
    pthread_create(&inner, NULL, grandchild, NULL);
    if (!RACE)
        pthread_join(inner, NULL);
    return arg;
}

int main(void)
{
    pthread_t t;

    data = 1;
    pthread_create(&t, NULL, child, NULL);
    pthread_join(t, NULL);
    int value = data; /* @here */

    if (RACE)
        pthread_join(inner, NULL);
    return value > 3;
}
