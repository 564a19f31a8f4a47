/* SPDX-License-Identifier: MIT */
/*
 * A sleep by what the process computes ends when others have computed so much, however long that
 * takes and whether it is until a moment or for a while.  With noise it was one in real time, or
 * over at once.
 *
 * RUN    plait test -s noise -n 2
 * EXPECT clean
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

static atomic_bool over;

static int64_t computed(void)
{
    struct timespec t;

    assert(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == 0);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void *sleeps(void *arg)
{
    const int64_t some = 5000000, since = computed(), end = since + some;
    const struct timespec until = {end / 1000000000, end % 1000000000}, more = {0, some};

    assert(clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, TIMER_ABSTIME, &until, NULL) == 0);
    assert(computed() >= end);
    assert(clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, 0, &more, NULL) == 0);
    assert(computed() >= end + some);
    over = true;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, sleeps, NULL);
    while (!over) /* somebody must compute */
        ;
    pthread_join(t, NULL);
    return 0;
}
