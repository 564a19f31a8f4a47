/* SPDX-License-Identifier: MIT */
/*
 * A barrier is made for three threads, but one of them leaves early when it
 * finds nothing to do: the others wait for ever.  With -DFIXED=1 it takes part
 * all the same.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT deadlock exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT deadlock exit=1
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
#include <stdatomic.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_barrier_t barrier;
static atomic_int jobs = 2;

static void *worker(void *arg)
{
    int left = atomic_fetch_sub(&jobs, 1);

    if (left <= 0 && !FIXED)
        return arg;
    pthread_barrier_wait(&barrier);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&t, NULL, worker, NULL);
    pthread_create(&u, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
