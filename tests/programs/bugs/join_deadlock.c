/* SPDX-License-Identifier: MIT */
/*
 * A thread is joined while holding the lock that it needs to end.  With
 * -DFIXED=1 the lock is released before the join.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT deadlock threads=2 exit=1
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
#include <assert.h>
#include <pthread.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    if (FIXED)
        pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    if (!FIXED)
        pthread_mutex_unlock(&lock);
    assert(done);
    return 0;
}
