/* SPDX-License-Identifier: MIT */
/*
 * The owner of a robust mutex ends.  Others come before it has the mutex, while it has it, or after
 * its end: EBUSY or a wait that fails, success, and EOWNERDEAD are all to be seen.  CLAIM names the
 * one that is claimed not to be.  With -DWAITS it is a wait at a condition that gets the mutex from
 * the dead.
 *
 * RUN    -DCLAIM=0 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DCLAIM=EBUSY plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DCLAIM=EBUSY plait test -s dfs
 * EXPECT assertion
 *
 * RUN    -DCLAIM=EOWNERDEAD plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DTIMED -DCLAIM=ETIMEDOUT plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DTIMED -DCLAIM=EOWNERDEAD plait test -s dfs
 * EXPECT assertion
 *
 * RUN    -DCLAIM=EPERM plait test -s dpor
 * EXPECT clean complete classes=3
 *
 * RUN    -DWAITS -DCLAIM=0 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DWAITS -DCLAIM=EOWNERDEAD plait test -s dpor
 * EXPECT assertion
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int gone;

static void *owner(void *arg)
{
    if (pthread_mutex_lock(&mutex) == EOWNERDEAD)
        return arg;
    gone = 1;
    pthread_cond_signal(&cond);
    return arg;
}

/* Get the mutex, and create the other thread while it can be had. */
static int take(pthread_t *t)
{
#if defined(WAITS)
    int rc = 0;

    pthread_mutex_lock(&mutex);
    pthread_create(t, NULL, owner, NULL);
    while (!gone)
        rc = pthread_cond_wait(&cond, &mutex);
    return rc;
#elif defined(TIMED)
    static const struct timespec later = {.tv_sec = 4000000000};

    pthread_create(t, NULL, owner, NULL);
    return pthread_mutex_timedlock(&mutex, &later);
#else
    pthread_create(t, NULL, owner, NULL);
    return pthread_mutex_trylock(&mutex);
#endif
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t robust;

    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &robust);
    int rc = take(&t);

    assert(rc != CLAIM);
    if (rc == EOWNERDEAD)
        assert(pthread_mutex_consistent(&mutex) == 0);
    if (rc == 0 || rc == EOWNERDEAD)
        assert(pthread_mutex_unlock(&mutex) == 0);
    pthread_join(t, NULL);
    return 0;
}
