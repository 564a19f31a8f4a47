/* SPDX-License-Identifier: MIT */
/*
 * Read-write locks: readers together, a writer alone, EBUSY to who tries, timed
 * forms.
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

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t tried;
static int value;

static struct timespec soon(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    t.tv_nsec = t.tv_nsec < 998000000 ? t.tv_nsec + 2000000 : 999999999;
    return t;
}

static void *while_read(void *arg)
{
    struct timespec deadline = soon(CLOCK_REALTIME);

    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedwrlock(&lock, &deadline) == ETIMEDOUT);
    deadline = soon(CLOCK_MONOTONIC);
    assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT);
    sem_post(&tried);
    return arg;
}

static void *while_written(void *arg)
{
    struct timespec deadline = soon(CLOCK_REALTIME);

    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedrdlock(&lock, &deadline) == ETIMEDOUT);
    sem_post(&tried);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(value == 1);
    assert(pthread_rwlock_unlock(&lock) == 0);
    return arg;
}

int main(void)
{
    pthread_t t;

    sem_init(&tried, 0, 0);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(pthread_create(&t, NULL, while_read, NULL) == 0);
    sem_wait(&tried);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_join(t, NULL) == 0);

    assert(pthread_rwlock_wrlock(&lock) == 0);
    assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
    assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
    assert(pthread_create(&t, NULL, while_written, NULL) == 0);
    sem_wait(&tried);
    value = 1;
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_join(t, NULL) == 0);
    assert(pthread_rwlock_destroy(&lock) == 0);
    return 0;
}
