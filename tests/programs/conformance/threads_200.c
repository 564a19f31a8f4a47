/* SPDX-License-Identifier: MIT */
/*
 * Two hundred threads at the same time.
 *
 * RUN    plait test -s random -n 40
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 40
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 10 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum { THREADS = 200 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int arrived;
static _Thread_local int mine;

static void *thread(void *arg)
{
    mine = (int)(intptr_t)arg;
    pthread_mutex_lock(&lock);
    if (++arrived == THREADS)
        pthread_cond_broadcast(&all);
    while (arrived < THREADS)
        pthread_cond_wait(&all, &lock);
    pthread_mutex_unlock(&lock);
    return (void *)(intptr_t)mine;
}

int main(void)
{
    pthread_t t[THREADS];
    void *result;

    for (int i = 0; i < THREADS; i++)
        assert(pthread_create(&t[i], NULL, thread, (void *)(intptr_t)i) == 0);
    for (int i = 0; i < THREADS; i++) {
        assert(pthread_join(t[i], &result) == 0);
        assert((intptr_t)result == i);
    }
    return 0;
}
