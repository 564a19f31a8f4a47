/* SPDX-License-Identifier: MIT */
/*
 * Each thread holds two locks, of which one is common: that one protects.  With
 * -DAPART they have none in common.
 *
 * RUN    plait test -s dfs --detect +lockset
 * EXPECT clean complete
 *
 * RUN    -DAPART plait test -s dfs --detect +lockset
 * EXPECT lockset accesses~holding mutex (a, mutex b|c, mutex d); .* (a, mutex b|c, mutex d)$
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t d = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void add(pthread_mutex_t *outer, pthread_mutex_t *inner)
{
    pthread_mutex_lock(outer);
    pthread_mutex_lock(inner);
    shared++;
    pthread_mutex_unlock(outer);
    pthread_mutex_unlock(inner);
}

static void *first(void *arg)
{
    add(&a, &b);
    add(&a, &b);
    return arg;
}

static void *second(void *arg)
{
#ifdef APART
    add(&c, &d);
#else
    add(&c, &b);
    (void)d;
#endif
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, first, NULL);
    pthread_create(&u, NULL, second, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
