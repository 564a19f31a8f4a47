/* SPDX-License-Identifier: MIT */
/*
 * An errorcheck mutex: EDEADLK to the holder, EPERM to who does not hold it.
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

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t made;
static int counter;

static void *thread(void *arg)
{
    pthread_mutex_t *m = arg;

    assert(pthread_mutex_unlock(m) == EPERM);
    assert(pthread_mutex_lock(m) == 0);
    counter++;
    assert(pthread_mutex_lock(m) == EDEADLK);
    assert(pthread_mutex_trylock(m) == EBUSY);
    assert(pthread_mutex_unlock(m) == 0);
    assert(pthread_mutex_unlock(m) == EPERM);
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutex_t *both[] = {&lock, &made};

    pthread_mutexattr_init(&attr);
    assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK) == 0);
    assert(pthread_mutex_init(&made, &attr) == 0);
    for (int i = 0; i < 2; i++) {
        pthread_t t;

        assert(pthread_create(&t, NULL, thread, both[i]) == 0);
        thread(both[i]);
        assert(pthread_join(t, NULL) == 0);
    }
    assert(counter == 4);
    assert(pthread_mutex_destroy(&made) == 0);
    return 0;
}
