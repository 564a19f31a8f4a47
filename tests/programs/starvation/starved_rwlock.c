/* SPDX-License-Identifier: MIT */
/*
 * Readers that overlap keep a writer out of a lock that lets them pass: it is never free of
 * readers. With -DFIXED=1 the lock prefers writers.
 *
 * RUN    plait test -s random -n 2000 --detect +starvation
 * EXPECT starvation message~same location~@wanted
 *
 * RUN    plait test -s pct -n 2000 --detect +starvation
 * EXPECT starvation location~@wanted
 *
 * RUN    plait test -s random -n 200
 * EXPECT clean
 *
 * RUN    -DFIXED=1 plait test -s random -n 500 --detect +starvation
 * EXPECT clean
 */
#include <pthread.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_rwlock_t lock;
static int value;

static void *reader(void *arg)
{
    long sum = 0;

    for (int i = 0; i < 60; i++) {
        pthread_rwlock_rdlock(&lock);
        sum += value;
        pthread_rwlock_unlock(&lock);
    }
    return (void *)(sum * (arg != NULL));
}

static void *writer(void *arg)
{
    pthread_rwlock_wrlock(&lock); /* @wanted */
    value++;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_rwlockattr_t attr;
    pthread_t t[3];

    pthread_rwlockattr_init(&attr);
    if (FIXED)
        pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &attr);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, i < 2 ? reader : writer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
