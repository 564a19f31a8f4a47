/* SPDX-License-Identifier: MIT */
/*
 * A spin lock, and a thread that does without.
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

static pthread_spinlock_t lock;
int data;

static void *first(void *arg)
{
    pthread_spin_lock(&lock);
    data = 1; /* @here */
    pthread_spin_unlock(&lock);
    return arg;
}

static void *second(void *arg)
{
    if (!RACE)
        pthread_spin_lock(&lock);
    data = 2; /* @here */
    if (!RACE)
        pthread_spin_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    return both(first, second);
}
