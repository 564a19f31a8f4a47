/* SPDX-License-Identifier: MIT */
/*
 * A thread that finds nothing to do returns without unlocking.  With -DFIXED=1
 * it unlocks on every path.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT misuse exit=1
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
static int jobs;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    if (!FIXED && jobs == 0)
        return arg;
    if (jobs > 0)
        jobs--;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    jobs++;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
