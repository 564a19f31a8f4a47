/* SPDX-License-Identifier: MIT */
/*
 * A wait whose time runs out leaves the condition and then takes the mutex: in between another
 * thread may make the predicate true, and its signal finds nobody there.
 *
 * FACE 0: ETIMEDOUT, and the predicate is true all the same: claimed not to happen.
 * FACE 1: the lost signal: another waiter gets it instead; so whoever is signalled may be told
 * ETIMEDOUT by nobody: with two waiters and one signal both can leave, and at least one times out.
 * FACE 2: a cancelled waiter gives the mutex back in its cleanup; the search comes to an end.
 *
 * RUN    -DFACE=0 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DFACE=0 plait test -s dfs
 * EXPECT assertion
 *
 * RUN    -DFACE=0 plait test -s random -n 1000
 * EXPECT assertion
 *
 * RUN    -DFACE=1 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=2 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=2 plait test -s dfs
 * EXPECT clean complete
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready, late;

static void give_back(void *m)
{
    pthread_mutex_unlock(m);
}

static void *wait(void *arg)
{
    static const struct timespec later = {.tv_sec = 4000000000};
    volatile int rc = 0;

    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(give_back, &mutex);
    if (FACE == 2)
        while (!ready)
            pthread_cond_wait(&cond, &mutex);
    else if (!ready || FACE == 1)
        rc = pthread_cond_timedwait(&cond, &mutex, &later);
    if (FACE == 0)
        assert(rc != ETIMEDOUT || !ready);
    late += rc == ETIMEDOUT;
    pthread_cleanup_pop(1);
    return arg;
}

static void *set(void *arg)
{
    pthread_mutex_lock(&mutex);
    ready = FACE != 2;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, wait, NULL);
    pthread_create(&u, NULL, FACE == 1 ? wait : set, NULL);
    if (FACE == 1)
        set(NULL);
    if (FACE == 2)
        pthread_cancel(t);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(FACE != 1 || late >= 1);
    return 0;
}
