/* SPDX-License-Identifier: MIT */
/*
 * A cancelled thread goes on to its next cancellation point, no further, and its
 * result is PTHREAD_CANCELED.
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
#include <semaphore.h>
#include <stdatomic.h>

static sem_t ready, cancelled;
static atomic_int before, after;

static void *thread(void *arg)
{
    int old;

    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0);
    assert(old == PTHREAD_CANCEL_ENABLE);
    sem_post(&ready);
    sem_wait(&cancelled); /* no cancellation point while disabled */
    pthread_testcancel();
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0);
    assert(old == PTHREAD_CANCEL_DEFERRED);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0);
    assert(old == PTHREAD_CANCEL_DISABLE);
    before = 1;
    pthread_testcancel();
    after = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;

    sem_init(&ready, 0, 0);
    sem_init(&cancelled, 0, 0);
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    sem_wait(&ready);
    assert(pthread_cancel(t) == 0);
    sem_post(&cancelled);
    assert(pthread_join(t, &result) == 0);
    assert(result == PTHREAD_CANCELED);
    assert(before == 1 && after == 0);
    return 0;
}
