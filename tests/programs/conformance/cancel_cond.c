/* SPDX-License-Identifier: MIT */
/*
 * A thread cancelled while it waits on a condition has the mutex again when its
 * cleanup handler runs.
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
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int cleaned;

static void unlock(void *arg)
{
    cleaned = 1;
    assert(pthread_mutex_lock(arg) == EDEADLK); /* it is mine */
    assert(pthread_mutex_unlock(arg) == 0);
}

static void *waiter(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    for (;;)
        pthread_cond_wait(&never, &lock);
    pthread_cleanup_pop(0);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;

    assert(pthread_create(&t, NULL, waiter, NULL) == 0);
    assert(pthread_cancel(t) == 0);
    assert(pthread_join(t, &result) == 0 && result == PTHREAD_CANCELED);
    assert(cleaned == 1);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == 0);
    return 0;
}
