/* SPDX-License-Identifier: MIT */
/*
 * Detached threads end by themselves, and main does not wait for them.
 *
 * RUN    plait test -s random -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 50 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *by_creator(void *arg)
{
    sem_post(&done);
    return arg;
}

static void *by_itself(void *arg)
{
    assert(pthread_detach(pthread_self()) == 0);
    sem_post(&done);
    return arg;
}

static void *left_over(void *arg)
{
    sem_t never;

    sem_init(&never, 0, 0);
    sem_wait(&never);
    return arg;
}

int main(void)
{
    pthread_t t;

    sem_init(&done, 0, 0);
    assert(pthread_create(&t, NULL, by_creator, NULL) == 0);
    assert(pthread_detach(t) == 0);
    assert(pthread_create(&t, NULL, by_itself, NULL) == 0);
    sem_wait(&done);
    sem_wait(&done);
    assert(pthread_create(&t, NULL, left_over, NULL) == 0);
    assert(pthread_detach(t) == 0);
    return 0;
}
