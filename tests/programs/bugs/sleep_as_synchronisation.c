/* SPDX-License-Identifier: MIT */
/*
 * A sleep is taken for synchronisation: a second should be enough for the other
 * thread.  It always is when tried, and need not be.  With -DFIXED=1 there is a
 * join.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT assertion exit=1 location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#ifndef FIXED
#define FIXED 0
#endif

static volatile int ready;

static void *worker(void *arg)
{
    ready = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, worker, NULL);
    if (FIXED)
        pthread_join(t, NULL);
    else
        usleep(500000);
    assert(ready); /* @bug */
    if (!FIXED)
        pthread_join(t, NULL);
    return 0;
}
