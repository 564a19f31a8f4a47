/* SPDX-License-Identifier: MIT */
/*
 * What a thread did before it took a mutex is known to whoever takes it next, but not the
 * other way round: here the second thread writes after it has released the mutex, and only
 * when it came first is that unordered.
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
int data, turns;

static void *first(void *arg)
{
    int mine;

    data = 1; /* @here */
    pthread_mutex_lock(&lock);
    mine = turns++;
    pthread_mutex_unlock(&lock);
    return seen(arg, mine);
}

static void *second(void *arg)
{
    int mine;

    pthread_mutex_lock(&lock);
    mine = turns++;
    pthread_mutex_unlock(&lock);
    if (RACE || mine == 1)
        data = 2; /* @here */
    return arg;
}

int main(void)
{
    return both(first, second);
}
