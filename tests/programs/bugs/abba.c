/* SPDX-License-Identifier: MIT */
/*
 * Two threads take the same two locks in opposite orders.  With -DFIXED=1 both
 * take them in the same order.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT deadlock preemptions=1 minimal=proven threads=2 exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT deadlock threads=2 exit=1
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

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *other(void *arg)
{
    both(FIXED ? &a : &b, FIXED ? &b : &a);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    both(&a, &b);
    pthread_join(t, NULL);
    return 0;
}
