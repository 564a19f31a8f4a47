/* SPDX-License-Identifier: MIT */
/*
 * Blocking calls are cancellation points: a thread that would wait for ever in
 * one is freed by cancelling it.
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
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <unistd.h>

static sem_t never;
static pthread_t sleeper;

static void *block(void *arg)
{
    switch ((int)(intptr_t)arg) {
    case 0:
        sem_wait(&never);
        break;
    case 1:
        for (;;)
            usleep(1000);
        break;
    default:
        pthread_join(sleeper, NULL);
        break;
    }
    return NULL;
}

static void *sleep_long(void *arg)
{
    sem_wait(&never);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;

    sem_init(&never, 0, 0);
    assert(pthread_create(&sleeper, NULL, sleep_long, NULL) == 0);
    for (intptr_t i = 0; i < 3; i++) {
        assert(pthread_create(&t, NULL, block, (void *)i) == 0);
        assert(pthread_cancel(t) == 0);
        assert(pthread_join(t, &result) == 0);
        assert(result == PTHREAD_CANCELED);
    }
    sem_post(&never);
    assert(pthread_join(sleeper, NULL) == 0);
    return 0;
}
