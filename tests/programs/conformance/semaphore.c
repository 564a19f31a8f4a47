/* SPDX-License-Identifier: MIT */
/*
 * Semaphores: values, EAGAIN, EOVERFLOW, EINVAL, timed waits.
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
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t items, full;

static void *producer(void *arg)
{
    assert(sem_post(&items) == 0);
    assert(sem_post(&items) == 0);
    return arg;
}

int main(void)
{
    struct timespec deadline, now, nonsense = {.tv_nsec = 1000000000};
    pthread_t t;
    int value;

    assert(sem_init(&full, 0, (unsigned)SEM_VALUE_MAX + 1) == -1 && errno == EINVAL);
    assert(sem_init(&full, 0, SEM_VALUE_MAX) == 0);
    assert(sem_post(&full) == -1 && errno == EOVERFLOW);
    assert(sem_getvalue(&full, &value) == 0 && value == SEM_VALUE_MAX);
    assert(sem_destroy(&full) == 0);

    assert(sem_init(&items, 0, 0) == 0);
    assert(sem_trywait(&items) == -1 && errno == EAGAIN);
    assert(sem_timedwait(&items, &nonsense) == -1 && errno == EINVAL);
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_nsec = deadline.tv_nsec < 998000000 ? deadline.tv_nsec + 2000000 : 999999999;
    assert(sem_clockwait(&items, CLOCK_MONOTONIC, &deadline) == -1 && errno == ETIMEDOUT);
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_sec > deadline.tv_sec || now.tv_nsec >= deadline.tv_nsec);
    assert(pthread_create(&t, NULL, producer, NULL) == 0);
    assert(sem_wait(&items) == 0);
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 3600;
    value = sem_timedwait(&items, &deadline);
    assert(value == 0 || (value == -1 && errno == ETIMEDOUT));
    assert(pthread_join(t, NULL) == 0);
    assert(sem_getvalue(&items, &value) == 0 && (value == 0 || value == 1));
    assert(sem_destroy(&items) == 0);
    return 0;
}
