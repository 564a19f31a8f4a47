/* SPDX-License-Identifier: MIT */
/*
 * Figure 2.7 of Chen, "Guided Testing of Concurrent Programs Using Value Schedules" (2009): a
 * conflict that exists only in executions where it comes too late.  The test of b falls before,
 * between or after the two writes of b; only after them a is written, and then a's reader is done.
 * 3 classes.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=3
 *
 * RUN    [dpor] plait test -s dpor --points all
 * EXPECT clean complete executions=3 classes=3
 */
#include "../../../bench/scoreboard/threads.h"

#include <stdatomic.h>

static _Alignas(8) atomic_int a;
static _Alignas(8) atomic_int b;

static void *first(void *arg)
{
    (void)arg;
    atomic_store(&b, 1);
    (void)atomic_load(&a);
    atomic_store(&b, -1);
    return NULL;
}

static void *second(void *arg)
{
    (void)arg;
    if (atomic_load(&b) < 0)
        atomic_store(&a, 0);
    return NULL;
}

int main(void)
{
    thread_start(first, 0);
    thread_start(second, 0);
    threads_join();
    return 0;
}
