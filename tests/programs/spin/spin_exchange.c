/* SPDX-License-Identifier: MIT */
/*
 * A test-and-set loop on a lock that is held: each round writes the value that
 * is already there.  With -DNEVER=1 nobody opens it.
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

static atomic_int closed = 1;
static volatile int data;

static void *setter(void *arg)
{
    data = 42;
#ifndef NEVER
    closed = 0;
#endif
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, setter, NULL);
    while (atomic_exchange(&closed, 1))
        ;
    assert(data == 42);
    pthread_join(t, NULL);
    return 0;
}
