/* SPDX-License-Identifier: MIT */
/*
 * A mutex that nobody holds is unlocked, in one order of two threads only.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT misuse exit=1 location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT misuse exit=1
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int locked;

static void *other(void *arg)
{
    int skip = locked;

    if (!skip)
        pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock); /* @bug */
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    locked = 1;
    pthread_join(t, NULL);
    return 0;
}
