/* SPDX-License-Identifier: MIT */
/*
 * Long executions with few classes: two threads, each with 2*K operations on a mutex of its own
 * and three writes of a variable that both share. Whatever K is, there are 6! / (3! 3!) = 20
 * classes.
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef K
#define K 600
#endif

static pthread_mutex_t own[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static atomic_int shared;

static void *work(void *arg)
{
    long self = (long)arg;

    for (int i = 0; i < K; i++) {
        pthread_mutex_lock(&own[self]);
        pthread_mutex_unlock(&own[self]);
        if (i % (K / 3) == K / 6)
            atomic_store(&shared, i);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
