/* SPDX-License-Identifier: MIT */
/*
 * A recursive mutex: as many unlocks as locks, EPERM to everybody else, EBUSY to
 * those who try; static initialiser and attribute.
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
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t made;
static atomic_int held;
static int counter;

static void *thread(void *arg)
{
    pthread_mutex_t *m = arg;

    if (held) {
        assert(pthread_mutex_unlock(m) == EPERM);
        int rc = pthread_mutex_trylock(m);
        assert(rc == EBUSY || rc == 0);
        if (rc == 0)
            assert(pthread_mutex_unlock(m) == 0);
    }
    assert(pthread_mutex_lock(m) == 0);
    counter++;
    assert(pthread_mutex_unlock(m) == 0);
    return NULL;
}

static void try(pthread_mutex_t *m)
{
    pthread_t t;

    assert(pthread_mutex_unlock(m) == EPERM);
    assert(pthread_create(&t, NULL, thread, m) == 0);
    assert(pthread_mutex_lock(m) == 0);
    held = 1;
    assert(pthread_mutex_lock(m) == 0);
    assert(pthread_mutex_trylock(m) == 0);
    counter++;
    assert(pthread_mutex_unlock(m) == 0);
    assert(pthread_mutex_unlock(m) == 0);
    assert(pthread_mutex_unlock(m) == 0);
    assert(pthread_join(t, NULL) == 0);
    assert(pthread_mutex_unlock(m) == EPERM);
    held = 0;
}

int main(void)
{
    pthread_mutexattr_t attr;

    pthread_mutexattr_init(&attr);
    assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE) == 0);
    assert(pthread_mutex_init(&made, &attr) == 0);
    try(&lock);
    try(&made);
    assert(counter == 4);
    assert(pthread_mutex_destroy(&made) == 0);
    return 0;
}
