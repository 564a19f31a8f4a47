/* SPDX-License-Identifier: MIT */
/*
 * A thread of asynchronous type is ended between any two of its accesses, also to memory that
 * nobody else uses meanwhile: all three values of `steps` are seen.
 *
 * RUN    plait test -s dfs -k --detect=-misuse
 * EXPECT assertion complete exit=1
 *
 * RUN    plait test -s dpor -k
 * EXPECT assertion complete exit=1
 */
#include <assert.h>
#include <pthread.h>

static volatile int steps;

static void *work(void *arg)
{
    int old;

    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    steps = 1;
    steps = 2;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    assert(steps != 1);
    return 0;
}
