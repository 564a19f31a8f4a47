/* SPDX-License-Identifier: MIT */
/*
 * A mutex is unlocked by a thread that does not hold it, here because the
 * holder may not have come yet.  With -DFIXED=1 who locks also unlocks.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT misuse exit=1 location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT misuse exit=1
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete exit=0
 */
#include <pthread.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *arg)
{
    if (FIXED)
        pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock); /* @bug */
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_mutex_lock(&lock);
    pthread_create(&t, NULL, other, NULL);
    if (FIXED)
        pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
