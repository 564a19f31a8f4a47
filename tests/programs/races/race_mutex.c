/* SPDX-License-Identifier: MIT */
/*
 * A mutex orders what is done while it is held; one thread that does not take it is enough for
 * a race.
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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int data;

static void *first(void *arg)
{
    pthread_mutex_lock(&lock);
    data = 1; /* @here */
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *second(void *arg)
{
    if (RACE) {
        data = 2; /* @here */
        return arg;
    }
    pthread_mutex_lock(&lock);
    data = 2;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    return both(first, second);
}
