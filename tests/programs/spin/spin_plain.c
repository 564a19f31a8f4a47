/* SPDX-License-Identifier: MIT */
/*
 * A plain flag is polled without any call; only a compiler barrier keeps the
 * load in the loop.  With -DNEVER=1 nobody sets it.
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

int flag; /* not static: the compiler must not know that nobody sets it */
static volatile int data;

static void *setter(void *arg)
{
    data = 42;
#ifndef NEVER
    flag = 1;
#endif
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, setter, NULL);
    while (!flag)
        __asm__ volatile("" ::: "memory");
    assert(data == 42);
    pthread_join(t, NULL);
    return 0;
}
