/* SPDX-License-Identifier: MIT */
/*
 * A thread locks a normal mutex that it already holds.  -DRECURSIVE=1: a
 * recursive one is unlocked once too few, so another thread waits for ever.
 *
 * RUN    plait test -s random -n 100
 * EXPECT deadlock exit=1 location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT deadlock exit=1
 *
 * RUN    -DRECURSIVE=1 plait test -s random -n 100
 * EXPECT deadlock exit=1 threads=2
 */
#define _GNU_SOURCE
#include <pthread.h>

#ifdef RECURSIVE
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static void *other(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock); /* @bug */
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
