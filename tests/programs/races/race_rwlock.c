/* SPDX-License-Identifier: MIT */
/*
 * Readers and a writer of an rwlock; to write with the read side is a race.
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

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int data;

static void *reader(void *arg)
{
    int value;

    pthread_rwlock_rdlock(&lock);
    value = data; /* @here */
    pthread_rwlock_unlock(&lock);
    return seen(arg, value);
}

static void *writer(void *arg)
{
    if (RACE)
        pthread_rwlock_rdlock(&lock);
    else
        pthread_rwlock_wrlock(&lock);
    data = 1; /* @here */
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    return both(reader, writer);
}
