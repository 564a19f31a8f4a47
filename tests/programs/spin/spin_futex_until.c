/* SPDX-License-Identifier: MIT */
/*
 * A future that is never made ready, as std::future::wait_for() waits for one: each round computes
 * its deadline in nanoseconds, then waits for a futex until then.  What it has computed is a time
 * when the futex is looked at, not only once the thread sleeps there.
 *
 * RUN    plait test -s random -n 1
 * EXPECT livelock replay=identical exit=1
 *
 * RUN    plait test -s dpor -n 1
 * EXPECT livelock exit=1
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int ready;

static void *wait_for(void *arg)
{
    while (atomic_load(&ready) == 0) {
        struct timespec t;
        volatile long until; /* kept beside what the kernel gets */

        clock_gettime(CLOCK_MONOTONIC, &t);
        until = t.tv_sec * 1000000000 + t.tv_nsec + 10000000;
        t.tv_sec = until / 1000000000;
        t.tv_nsec = until % 1000000000;
        syscall(SYS_futex, &ready, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 0, &t, NULL,
                FUTEX_BITSET_MATCH_ANY);
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, wait_for, NULL);
    return pthread_join(t, NULL);
}
