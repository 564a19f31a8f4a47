/* SPDX-License-Identifier: MIT */
/*
 * Figures 6.9 and 6.10 of Chen, "Guided Testing of Concurrent Programs Using Value Schedules"
 * (2009): one thread subtracts twice, the other adds once (9 classes) or twice (34).  Each change
 * is a read and a write; only neighbouring reads commute.
 *
 * RUN    -DTIMES=1 plait test -s dfs
 * EXPECT clean complete classes=9
 *
 * RUN    -DTIMES=2 plait test -s dfs
 * EXPECT clean complete classes=34
 *
 * RUN    [dpor] -DTIMES=1 plait test -s dpor --points all
 * EXPECT clean complete executions=9 classes=9
 *
 * RUN    [dpor] -DTIMES=2 plait test -s dpor --points all
 * EXPECT clean complete executions=34 classes=34
 */
#include "../../../bench/scoreboard/threads.h"

#include <stdatomic.h>

static atomic_int x;

static void *subtract(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++)
        atomic_store(&x, atomic_load(&x) - 10);
    return NULL;
}

static void *add(void *arg)
{
    (void)arg;
    for (int i = 0; i < TIMES; i++)
        atomic_store(&x, atomic_load(&x) + 10);
    return NULL;
}

int main(void)
{
    thread_start(subtract, 0);
    thread_start(add, 0);
    threads_join();
    return 0;
}
