/* SPDX-License-Identifier: MIT */
/*
 * An inner unlock of a recursive mutex releases nothing; what comes after the outer one is not
 * protected.
 *
 * RUN    -D_GNU_SOURCE plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -D_GNU_SOURCE -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

#ifndef RACE
#define RACE 0
#endif

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int data;

static void *first(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    if (!RACE)
        data = 1;
    pthread_mutex_unlock(&lock);
    if (RACE)
        data = 1; /* @here */
    return arg;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&lock);
    data = 2; /* @here */
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    return both(first, second);
}
