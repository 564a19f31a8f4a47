/* SPDX-License-Identifier: MIT */
/*
 * An atomic flag is polled with nanosleep between.  With -DNEVER=1 nobody sets it.
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
#include <time.h>

static atomic_int flag;
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
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert(data == 42);
    pthread_join(t, NULL);
    return 0;
}
