/* SPDX-License-Identifier: MIT */
/*
 * A recursive mutex protects until its last unlock, and no longer.
 *
 * RUN    plait test -s dfs --detect +lockset
 * EXPECT clean complete
 *
 * RUN    -DLATE plait test -s dfs --detect +lockset
 * EXPECT lockset accesses~shared at @late .work. holding nothing
 */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static volatile int shared;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    shared = 1;
    pthread_mutex_unlock(&lock);
    shared = 2;
    pthread_mutex_unlock(&lock);
#ifdef LATE
    shared = 3; /* @late */
#endif
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, work, NULL);
    pthread_create(&u, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
