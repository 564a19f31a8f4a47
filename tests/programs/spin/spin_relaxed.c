/* SPDX-License-Identifier: MIT */
/*
 * A flag is polled with relaxed loads and a fence after.  With -DNEVER=1 nobody
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
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static volatile int data;

static void *setter(void *arg)
{
    data = 42;
#ifndef NEVER
    atomic_store_explicit(&flag, 1, memory_order_release);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, setter, NULL);
    while (!atomic_load_explicit(&flag, memory_order_relaxed))
        ;
    atomic_thread_fence(memory_order_acquire);
    assert(data == 42);
    pthread_join(t, NULL);
    return 0;
}
