/* SPDX-License-Identifier: MIT */
/*
 * A thread works on a variable of its creator's stack.
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

static void *work(void *arg)
{
    *(int *)arg = 1; /* @here */
    return arg;
}

int main(void)
{
    pthread_t t;
    int local = 0, value = 0;

    pthread_create(&t, NULL, work, &local);
    if (RACE)
        value = local; /* @here */
    pthread_join(t, NULL);
    return value + local > 2;
}
