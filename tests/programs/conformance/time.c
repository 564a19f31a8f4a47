/* SPDX-License-Identifier: MIT */
/*
 * Clocks do not go back, sleeping takes at least its time by the clock, and what
 * another thread read before is not later.
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
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static atomic_llong latest;

static long long now(clockid_t clock)
{
    struct timespec t;

    assert(clock_gettime(clock, &t) == 0);
    assert(t.tv_nsec >= 0 && t.tv_nsec < 1000000000);
    return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void *thread(void *arg)
{
    long long before, after, seen = latest;
    struct timespec ms = {.tv_nsec = 1000000}, left = {0};

    before = now(CLOCK_MONOTONIC);
    assert(before >= seen);
    latest = before;
    assert(nanosleep(&ms, &left) == 0);
    after = now(CLOCK_MONOTONIC);
    assert(after - before >= 1000000);
    assert(usleep(1000) == 0);
    assert(now(CLOCK_MONOTONIC) - after >= 1000000);
    after = now(CLOCK_MONOTONIC);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL) == 0);
    assert(now(CLOCK_MONOTONIC) - after >= 1000000);
    ms.tv_nsec = -1;
    assert(nanosleep(&ms, NULL) == -1 && errno == EINVAL);
    return arg;
}

int main(void)
{
    struct timeval tv;
    time_t seconds = time(NULL);
    long long real = now(CLOCK_REALTIME);
    pthread_t t;

    assert(gettimeofday(&tv, NULL) == 0);
    assert(tv.tv_sec >= seconds && real / 1000000000 >= seconds - 1);
    assert(seconds > 1577836800); /* not before 2020 */
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    thread(NULL);
    assert(pthread_join(t, NULL) == 0);
    assert(now(CLOCK_REALTIME) >= real + 3000000);
    return 0;
}
