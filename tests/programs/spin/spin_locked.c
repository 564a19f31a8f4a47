/* SPDX-License-Identifier: MIT */
/*
 * A flag is polled under a lock; with -DYIELD and sched_yield() between.  With -DNEVER=1 nobody
 * sets it.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DNEVER=1 plait test -s random -n 100
 * EXPECT livelock exit=1
 *
 * RUN    -DNEVER=1 plait test -s dfs
 * EXPECT livelock exit=1
 *
 * RUN    -DYIELD plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    -DYIELD plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DYIELD -DNEVER=1 plait test -s random -n 100
 * EXPECT livelock exit=1
 *
 * RUN    -DYIELD -DNEVER=1 plait test -s dfs
 * EXPECT livelock exit=1
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    -DYIELD native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static int look(void)
{
    int seen;

    pthread_mutex_lock(&lock);
    seen = flag;
    pthread_mutex_unlock(&lock);
    return seen;
}
static volatile int data;

static void *setter(void *arg)
{
    data = 42;
#ifndef NEVER
    pthread_mutex_lock(&lock);
    flag = 1;
    pthread_mutex_unlock(&lock);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, setter, NULL);
    while (!look()) {
#ifdef YIELD
        sched_yield();
#endif
    }
    assert(data == 42);
    pthread_join(t, NULL);
    return 0;
}
