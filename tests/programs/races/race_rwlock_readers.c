/* SPDX-License-Identifier: MIT */
/*
 * Readers of an rwlock do not order each other: what one did before is not known to the other.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int data, turns;

static void *first(void *arg)
{
    data = 1; /* @here */
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *second(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    data = 2; /* @here */
    return seen(arg, turns);
}

int main(void)
{
    return both(first, second);
}
