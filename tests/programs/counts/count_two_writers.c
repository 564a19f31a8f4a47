/* SPDX-License-Identifier: MIT */
/*
 * Two threads, M and K writes to the same variable: (M + K)! / (M! K!) classes.
 *
 * RUN    -DM=1 -DK=1 plait test -s dfs
 * EXPECT clean complete classes=2
 *
 * RUN    [dpor] -DM=1 -DK=1 plait test -s dpor --points all
 * EXPECT clean complete executions=2 classes=2
 *
 * RUN    -DM=2 -DK=2 plait test -s dfs
 * EXPECT clean complete classes=6
 *
 * RUN    [dpor] -DM=2 -DK=2 plait test -s dpor --points all
 * EXPECT clean complete executions=6 classes=6
 *
 * RUN    -DM=3 -DK=2 plait test -s dfs
 * EXPECT clean complete classes=10
 *
 * RUN    [dpor] -DM=3 -DK=2 plait test -s dpor --points all
 * EXPECT clean complete executions=10 classes=10
 *
 * RUN    -DM=3 -DK=3 plait test -s dfs
 * EXPECT clean complete classes=20
 *
 * RUN    [dpor] -DM=3 -DK=3 plait test -s dpor --points all
 * EXPECT clean complete executions=20 classes=20
 */
#include "../../../bench/scoreboard/threads.h"

#include <stdatomic.h>

static atomic_int x;

static void *writer(void *arg)
{
    int times = thread_number(arg);

    for (int i = 0; i < times; i++)
        atomic_store(&x, i);
    return NULL;
}

int main(void)
{
    thread_start(writer, M);
    thread_start(writer, K);
    threads_join();
    return 0;
}
