/* SPDX-License-Identifier: MIT */
/*
 * A broadcast wakes everybody who waits, a signal before the wait nobody; and a
 * condition can be destroyed right after the broadcast that ends all waits.
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
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER, arrived = PTHREAD_COND_INITIALIZER;
static int waiting, woken;
static bool go;

static void *waiter(void *arg)
{
    assert(pthread_mutex_lock(&lock) == 0);
    waiting++;
    assert(pthread_cond_signal(&arrived) == 0);
    while (!go)
        assert(pthread_cond_wait(&changed, &lock) == 0);
    woken++;
    assert(pthread_mutex_unlock(&lock) == 0);
    return arg;
}

int main(void)
{
    pthread_t t[2];

    assert(pthread_cond_signal(&changed) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_create(&t[i], NULL, waiter, NULL) == 0);
    assert(pthread_mutex_lock(&lock) == 0);
    while (waiting < 2)
        assert(pthread_cond_wait(&arrived, &lock) == 0);
    go = true;
    assert(pthread_cond_broadcast(&changed) == 0);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_cond_destroy(&changed) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(t[i], NULL) == 0);
    assert(woken == 2);
    return 0;
}
