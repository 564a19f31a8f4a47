/* SPDX-License-Identifier: MIT */
/*
 * Joining is a cancellation point: the joiner is cancelled before the other thread has ended, or
 * joins it, whichever comes first.
 *
 * RUN    plait test -s dfs -k
 * EXPECT assertion complete exit=1
 *
 * RUN    plait test -s dpor -k
 * EXPECT assertion complete exit=1
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t go;
static pthread_t first;
static int joined;

static void *wait_for_it(void *arg)
{
    sem_wait(&go);
    return arg;
}

static void *join_it(void *arg)
{
    pthread_join(first, NULL);
    joined = 1;
    return arg;
}

int main(void)
{
    pthread_t second;

    sem_init(&go, 0, 0);
    pthread_create(&first, NULL, wait_for_it, NULL);
    pthread_create(&second, NULL, join_it, NULL);
    sem_post(&go);
    pthread_cancel(second);
    pthread_join(second, NULL);
    if (!joined)
        pthread_join(first, NULL);
    assert(!joined);
    return 0;
}
