/* SPDX-License-Identifier: MIT */
/*
 * Sleeping is no synchronisation: a thread that sleeps long may wake up before
 * one that sleeps briefly has done its work, but not before it by the clock.
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
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *thread(void *arg)
{
    double start = now();

    usleep(20000);
    assert(now() - start >= 0.02 - 1e-6);
    return arg;
}

int main(void)
{
    double start = now();
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(sleep(0) == 0);
    usleep(1000);
    assert(now() - start >= 0.001 - 1e-6);
    assert(pthread_join(t, NULL) == 0);
    assert(now() - start >= 0.02 - 1e-6);
    return 0;
}
