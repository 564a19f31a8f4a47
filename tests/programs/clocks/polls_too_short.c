/* SPDX-License-Identifier: MIT */
/*
 * A thread looks for a flag until 2 ms have passed; it is raised after 10.  In the first execution
 * nobody knows that the flag is shared, so that the loop comes to no point.  In a replay it does,
 * behind the end of the schedule, and there the sleeper's time does not come before that of the
 * loop.
 *
 * RUN    plait test -s random --no-minimize -n 1
 * EXPECT assertion exit=1 replay=1
 *
 * RUN    plait test -s pairs --no-minimize -n 1
 * EXPECT assertion exit=1 replay=1
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int raised;

static long long now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void *look(void *arg)
{
    long long until = now() + 2000000;

    while (!raised && now() < until)
        ;
    assert(raised);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, look, NULL);
    usleep(10000);
    raised = 1;
    return pthread_join(t, NULL);
}
