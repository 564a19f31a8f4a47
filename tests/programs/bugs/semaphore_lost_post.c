/* SPDX-License-Identifier: MIT */
/*
 * A worker posts only when it sees somebody waiting; whoever comes a moment
 * later waits for ever.  With -DFIXED=1 it always posts.
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
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifndef FIXED
#define FIXED 0
#endif

static sem_t done;
static atomic_int waiting;
static int result;

static void *worker(void *arg)
{
    result = 42;
    if (FIXED || waiting)
        sem_post(&done);
    return arg;
}

int main(void)
{
    pthread_t t;

    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    waiting = 1;
    sem_wait(&done);
    assert(result == 42);
    pthread_join(t, NULL);
    sem_destroy(&done);
    return 0;
}
