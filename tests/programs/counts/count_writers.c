/* SPDX-License-Identifier: MIT */
/*
 * N threads, one write each to the same variable: N! classes.
 *
 * RUN    -DN=2 plait test -s dfs
 * EXPECT clean complete classes=2
 *
 * RUN    -DN=3 plait test -s dfs
 * EXPECT clean complete classes=6
 *
 * RUN    -DN=4 plait test -s dfs
 * EXPECT clean complete classes=24
 *
 * RUN    [dpor] -DN=2 plait test -s dpor --points all
 * EXPECT clean complete executions=2 classes=2
 *
 * RUN    [dpor] -DN=3 plait test -s dpor --points all
 * EXPECT clean complete executions=6 classes=6
 *
 * RUN    [dpor] -DN=4 plait test -s dpor --points all
 * EXPECT clean complete executions=24 classes=24
 *
 * RUN    [dpor] -DN=6 plait test -s dpor --points all
 * EXPECT clean complete executions=720 classes=720
 */
#include "../../../bench/scoreboard/threads.h"

#include <stdatomic.h>

static atomic_int x;

static void *writer(void *arg)
{
    atomic_store(&x, thread_number(arg));
    return NULL;
}

int main(void)
{
    threads_start(N, writer);
    threads_join();
    return 0;
}
