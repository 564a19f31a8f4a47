/* SPDX-License-Identifier: MIT */
/*
 * The tried and the timed forms of an rwlock.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it does not know the timed forms
 */
#include "two.h"

#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int data;

static void *reader(void *arg)
{
    struct timespec until = {.tv_sec = 2000000000};
    int value = 0;

    if (pthread_rwlock_timedrdlock(&lock, &until) == 0) {
        value = data;
        pthread_rwlock_unlock(&lock);
    }
    return seen(arg, value);
}

static void *writer(void *arg)
{
    if (pthread_rwlock_trywrlock(&lock) == 0) {
        data = 1;
        pthread_rwlock_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    return both(reader, writer);
}
