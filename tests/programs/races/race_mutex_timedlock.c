/* SPDX-License-Identifier: MIT */
/*
 * A lock that was taken in time is a lock.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 */
#include "two.h"

#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int data;

static void *first(void *arg)
{
    pthread_mutex_lock(&lock);
    data = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *second(void *arg)
{
    struct timespec until = {.tv_sec = 2000000000};

    if (pthread_mutex_timedlock(&lock, &until) != 0)
        return arg;
    data = 2;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    return both(first, second);
}
