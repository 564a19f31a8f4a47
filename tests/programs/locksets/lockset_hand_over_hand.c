/* SPDX-License-Identifier: MIT */
/*
 * Locks that are not released in the order of a stack: along a list, the lock of the
 * next node is taken before that of this one is released.
 *
 * RUN    plait test -s dfs --detect +lockset
 * EXPECT clean complete
 *
 * RUN    -DEARLY plait test -s dfs -k --detect +lockset
 * EXPECT lockset accesses~at @use .walk. holding nothing
 */
#include <pthread.h>

static struct node {
    pthread_mutex_t lock;
    volatile int value;
} nodes[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};

static void *walk(void *arg)
{
    pthread_mutex_lock(&nodes[0].lock);
    nodes[0].value = 1;
    pthread_mutex_lock(&nodes[1].lock);
    pthread_mutex_unlock(&nodes[0].lock);
#ifdef EARLY
    pthread_mutex_unlock(&nodes[1].lock);
#endif
    nodes[1].value = 1; /* @use */
#ifndef EARLY
    pthread_mutex_unlock(&nodes[1].lock);
#endif
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, walk, NULL);
    pthread_create(&u, NULL, walk, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
