/* SPDX-License-Identifier: MIT */
/*
 * Two threads wait for the same event, and it is announced with a signal: when
 * both are waiting, only one wakes up.  With -DFIXED=1 it is a broadcast.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT deadlock exit=1 threads=2
 *
 * RUN    plait test -s dfs
 * EXPECT deadlock exit=1 threads=2
 *
 * RUN    -DFIXED=1 plait test -s random -n 2000
 * EXPECT clean exit=0
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 native
 * EXPECT exit=0
 */
#include <pthread.h>
#include <stdbool.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER;
static bool go;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!go)
        pthread_cond_wait(&started, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    go = true;
    if (FIXED)
        pthread_cond_broadcast(&started);
    else
        pthread_cond_signal(&started);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
