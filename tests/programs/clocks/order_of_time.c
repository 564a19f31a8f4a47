/* SPDX-License-Identifier: MIT */
/*
 * Sleeps end in the order of time when nobody can run, also beside a thread that goes round until
 * its time has come: with `last` the short ones come first, in every execution.
 *
 * RUN    plait test -s dfs --time-outs last
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 200 --time-outs last
 * EXPECT clean exit=0
 *
 * RUN    plait test -s pct -n 200 --time-outs last
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 2000
 * EXPECT assertion location~@here exit=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int steps;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *sleeps(void *arg)
{
    usleep(20000);
    atomic_fetch_add(&steps, 1);
    return arg;
}

static void *polls(void *arg)
{
    double end = now() + 0.05;

    while (now() < end)
        usleep(1000);
    atomic_fetch_add(&steps, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, sleeps, NULL);
    pthread_create(&b, NULL, polls, NULL);
    sleep(1);
    assert(atomic_load(&steps) == 2); /* @here */
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
