/* SPDX-License-Identifier: MIT */
/*
 * A trylock that succeeds is as good as a lock. One that fails orders nothing.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * TSAN clean -DRACE=1: the trylock does not happen to fail
 * HELGRIND clean -DRACE=1: the trylock does not happen to fail
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
    int rc = pthread_mutex_trylock(&lock);

    if (RACE) {
        if (rc != 0)
            data = 2; /* @here */
    } else if (rc == 0) {
        data = 2;
    }
    if (rc == 0)
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    return both(first, second);
}
