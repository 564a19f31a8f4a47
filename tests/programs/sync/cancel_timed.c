/* SPDX-License-Identifier: MIT */
/*
 * A thread is cancelled in a wait that would also end by itself, when its time is over: then it
 * comes to its end before the cancellation.
 *
 * RUN    plait test -s dfs
 * EXPECT assertion location~@late
 *
 * RUN    plait test -s dpor
 * EXPECT assertion location~@late
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void unlock(void *arg)
{
    pthread_mutex_unlock(arg);
}

static void *wait_a_while(void *arg)
{
    const struct timespec end = {.tv_sec = 4000000000};

    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    pthread_cond_timedwait(&condition, &mutex, &end);
    pthread_cleanup_pop(1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    void *result;

    pthread_create(&thread, NULL, wait_a_while, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED); // @late
    return 0;
}
