/* SPDX-License-Identifier: MIT */
/*
 * Two threads join the same thread.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT misuse exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT misuse exit=1
 */
#include <pthread.h>

static pthread_t worker;

static void *work(void *arg)
{
    return arg;
}

static void *joiner(void *arg)
{
    pthread_join(worker, NULL);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&t, NULL, joiner, NULL);
    pthread_join(worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
