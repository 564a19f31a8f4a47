/* SPDX-License-Identifier: MIT */
/*
 * The processor's counter and the clock agree: who calibrates one by the other gets a frequency
 * that a processor can have, however long the time between was.
 *
 * RUN    plait test -s random -n 40
 * EXPECT clean executions=40 restart=rollback
 *
 * RUN    plait test -s random -n 5 --restart fork
 * EXPECT clean restart=fork
 *
 * RUN    plait test -s random -n 3 --restart exec
 * EXPECT clean restart=exec
 *
 * RUN    plait test -s random -n 5 --carrier thread
 * EXPECT clean executions=5
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

static int shared;

static uint64_t nanoseconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void *work(void *unused)
{
    __atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t thread;
    unsigned processor;

    pthread_create(&thread, NULL, work, NULL);
    for (unsigned pause = 1000; pause <= 100000; pause *= 10) {
        uint64_t ns = nanoseconds(), ticks = __rdtsc();

        usleep(pause);
        uint64_t later = __rdtscp(&processor);
        uint64_t mhz = (later - ticks) * 1000 / (nanoseconds() - ns);

        assert(later > ticks && mhz >= 100 && mhz <= 10000);
        __atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST);
    }
    pthread_join(thread, NULL);
    return 0;
}
