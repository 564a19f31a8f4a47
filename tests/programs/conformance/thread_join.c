/* SPDX-License-Identifier: MIT */
/*
 * Join in all its forms, with results.
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
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t go;

static void *wait_for_go(void *arg)
{
    sem_wait(&go);
    return arg;
}

static void *exit_with(void *arg)
{
    pthread_exit(arg);
}

int main(void)
{
    struct timespec deadline;
    pthread_t t;
    void *result;
    int value;

    sem_init(&go, 0, 0);
    assert(pthread_create(&t, NULL, wait_for_go, &value) == 0);
    assert(pthread_tryjoin_np(t, &result) == EBUSY);
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_nsec += 1000000;
    if (deadline.tv_nsec >= 1000000000) {
        deadline.tv_nsec -= 1000000000;
        deadline.tv_sec++;
    }
    assert(pthread_timedjoin_np(t, &result, &deadline) == ETIMEDOUT);
    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
    sem_post(&go);
    deadline.tv_sec += 3600;
    value = pthread_timedjoin_np(t, &result, &deadline);
    assert(value == 0 || value == ETIMEDOUT);
    if (value == ETIMEDOUT)
        assert(pthread_join(t, &result) == 0);
    assert(result == &value);

    assert(pthread_create(&t, NULL, exit_with, &go) == 0);
    assert(pthread_join(t, &result) == 0 && result == &go);

    assert(pthread_create(&t, NULL, exit_with, NULL) == 0);
    while ((value = pthread_tryjoin_np(t, &result)) == EBUSY)
        ;
    assert(value == 0 && result == NULL);
    return 0;
}
