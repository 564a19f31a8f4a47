/* SPDX-License-Identifier: MIT */
/*
 * Three threads at a barrier for two: one is left alone.
 *
 * RUN    plait test -s random -n 100
 * EXPECT deadlock exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT deadlock exit=1
 */
#include <pthread.h>

static pthread_barrier_t barrier;

static void *worker(void *arg)
{
    pthread_barrier_wait(&barrier);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, worker, NULL);
    pthread_create(&u, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
