/* SPDX-License-Identifier: MIT */
/*
 * Double-checked locking: the first look is taken without the lock.
 *
 * RUN    plait test -s dfs --detect +lockset
 * EXPECT lockset accesses~made at @look .get. holding nothing
 *
 * RUN    -DFIXED plait test -s dfs --detect +lockset
 * EXPECT clean complete
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int made;

static int get(void)
{
#ifndef FIXED
    if (made) /* @look */
        return 1;
#endif
    pthread_mutex_lock(&lock);
    if (!made)
        made = 1;
    pthread_mutex_unlock(&lock);
    return 1;
}

static void *work(void *arg)
{
    return get() ? arg : NULL;
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
