/* SPDX-License-Identifier: MIT */
/*
 * A loop polls for a flag until a deadline.  It gives up when the flag comes later than that, in
 * every execution, and the schedule of it shows it again.  It also gives up if its sleeps end
 * early while the thread that sets the flag could run: twice is enough with -DSOON=1.
 *
 * RUN    plait test
 * EXPECT assertion location~@late exit=1
 *
 * RUN    plait test -s random -n 5
 * EXPECT assertion location~@late preemptions=0 exit=1
 *
 * RUN    plait test -s dfs --time-outs last
 * EXPECT assertion location~@late exit=1
 *
 * RUN    plait test -s dpor
 * EXPECT assertion location~@late exit=1
 *
 * RUN    -DSOON=1 plait test -s dfs
 * EXPECT assertion location~@late exit=1
 *
 * RUN    -DSOON=1 plait test -s dpor
 * EXPECT assertion location~@late exit=1
 *
 * RUN    -DSOON=1 plait test -s dfs --time-outs last
 * EXPECT clean incomplete ended~without\searly exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int flag;

static void *set(void *arg)
{
#ifndef SOON
    nanosleep(&(struct timespec){.tv_nsec = 9000000}, NULL);
#endif
    flag = 1;
    return arg;
}

static long now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

int main(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    pthread_t t;

    pthread_create(&t, NULL, set, NULL);
#ifdef SOON
    long end = now() + 1500000;
#else
    long end = now() + 3500000;
#endif

    while (!flag && now() < end)
        nanosleep(&pause, NULL);
    assert(flag); /* @late */
    pthread_join(t, NULL);
    return 0;
}
