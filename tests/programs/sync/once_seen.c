/* SPDX-License-Identifier: MIT */
/*
 * Two threads initialise the same thing, each in its own way.  Whoever comes second finds it done,
 * and in the other order it would have been the first: both orders are executions.  What a thread
 * knows to be done it asks for without a point: AGAIN calls make no more executions.
 *
 * 2 classes: either is the first.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=2
 *
 * RUN    -DAGAIN=3 plait test -s dpor
 * EXPECT clean complete classes=2
 *
 * RUN    -DCLAIM=1 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DCLAIM=2 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DC11 -DCLAIM=1 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DC11 -DCLAIM=2 plait test -s dfs
 * EXPECT assertion
 */
#include <assert.h>
#include <pthread.h>
#include <threads.h>

#ifndef AGAIN
#define AGAIN 0
#endif
#ifndef CLAIM
#define CLAIM 0
#endif
#ifdef C11
#define once_init ONCE_FLAG_INIT
#define once_type once_flag
#define call(once, init) call_once(once, init)
#else
#define once_init PTHREAD_ONCE_INIT
#define once_type pthread_once_t
#define call(once, init) pthread_once(once, init)
#endif

static once_type once = once_init;
static int mode;

static void mode_1(void)
{
    mode = 1;
}

static void mode_2(void)
{
    mode = 2;
}

static void *other(void *arg)
{
    for (int i = 0; i <= AGAIN; i++)
        call(&once, mode_2);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    for (int i = 0; i <= AGAIN; i++)
        call(&once, mode_1);
    pthread_join(t, NULL);
    assert(CLAIM == 0 || mode == CLAIM);
    return 0;
}
