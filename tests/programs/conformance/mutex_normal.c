/* SPDX-License-Identifier: MIT */
/*
 * A normal mutex: EBUSY from trylock, also to its holder; initialisers.
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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t made;
static int counter;

static void *thread(void *arg)
{
    int rc = pthread_mutex_trylock(&lock);

    assert(rc == 0 || rc == EBUSY);
    if (rc == 0)
        assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_lock(&adaptive) == 0);
    counter++;
    assert(pthread_mutex_trylock(&adaptive) == EBUSY);
    assert(pthread_mutex_unlock(&adaptive) == 0);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_t t;
    int type;

    assert(pthread_mutexattr_init(&attr) == 0);
    assert(pthread_mutexattr_gettype(&attr, &type) == 0 && type == PTHREAD_MUTEX_DEFAULT);
    assert(pthread_mutexattr_settype(&attr, 99) == EINVAL);
    assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP) == 0);
    assert(pthread_mutex_init(&made, &attr) == 0);
    assert(pthread_mutexattr_destroy(&attr) == 0);
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    assert(pthread_mutex_unlock(&lock) == 0);
    thread(NULL);
    assert(pthread_join(t, NULL) == 0);
    assert(counter == 2);
    assert(pthread_mutex_trylock(&made) == 0);
    assert(pthread_mutex_trylock(&made) == EBUSY);
    assert(pthread_mutex_unlock(&made) == 0);
    assert(pthread_mutex_destroy(&made) == 0);
    assert(pthread_mutex_init(&made, NULL) == 0); /* a destroyed mutex can be made again */
    assert(pthread_mutex_lock(&made) == 0);
    assert(pthread_mutex_unlock(&made) == 0);
    assert(pthread_mutex_destroy(&made) == 0);
    return 0;
}
