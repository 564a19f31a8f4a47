/* SPDX-License-Identifier: MIT */
/*
 * A robust mutex: EOWNERDEAD after its holder ended, usable again after
 * pthread_mutex_consistent, ENOTRECOVERABLE when that was left out.
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

static pthread_mutex_t lock;

static void *die_holding(void *arg)
{
    int rc = pthread_mutex_lock(&lock);

    assert(rc == 0);
    return arg;
}

static void make(void)
{
    pthread_mutexattr_t attr;
    int robust;

    pthread_mutexattr_init(&attr);
    assert(pthread_mutexattr_getrobust(&attr, &robust) == 0 && robust == PTHREAD_MUTEX_STALLED);
    assert(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST) == 0);
    assert(pthread_mutex_init(&lock, &attr) == 0);
    pthread_mutexattr_destroy(&attr);
}

static void *wait_for_death(void *arg)
{
    int rc = pthread_mutex_lock(&lock);

    assert(rc == 0 || rc == EOWNERDEAD);
    if (rc == EOWNERDEAD)
        assert(pthread_mutex_consistent(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == 0);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    make();
    assert(pthread_mutex_consistent(&lock) == EINVAL);
    assert(pthread_create(&t, NULL, die_holding, NULL) == 0);
    assert(pthread_join(t, NULL) == 0);
    assert(pthread_mutex_trylock(&lock) == EOWNERDEAD);
    assert(pthread_mutex_consistent(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == 0);

    assert(pthread_create(&u, NULL, wait_for_death, NULL) == 0);
    assert(pthread_create(&t, NULL, die_holding, NULL) == 0);
    assert(pthread_join(t, NULL) == 0);
    assert(pthread_join(u, NULL) == 0);
    if (pthread_mutex_lock(&lock) == EOWNERDEAD)
        pthread_mutex_consistent(&lock);
    assert(pthread_mutex_unlock(&lock) == 0);

    assert(pthread_create(&t, NULL, die_holding, NULL) == 0);
    assert(pthread_join(t, NULL) == 0);
    assert(pthread_mutex_lock(&lock) == EOWNERDEAD);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == ENOTRECOVERABLE);
    assert(pthread_mutex_trylock(&lock) == ENOTRECOVERABLE);
    assert(pthread_mutex_destroy(&lock) == 0);
    return 0;
}
