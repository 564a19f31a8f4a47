/* SPDX-License-Identifier: MIT */
/*
 * N threads try to be the first by compare-exchange.  One succeeds; the others fail, which is a
 * read, and reads commute: N classes, by who succeeds.
 *
 * RUN    -DN=2 plait test -s dfs
 * EXPECT clean complete classes=2
 *
 * RUN    [dpor] -DN=3 plait test -s dfs
 * EXPECT clean complete classes=3
 *
 * RUN    [dpor] -DN=2 plait test -s dpor --points all
 * EXPECT clean complete executions=2 classes=2
 *
 * RUN    [dpor] -DN=3 plait test -s dpor --points all
 * EXPECT clean complete executions=3 classes=3
 *
 * RUN    [dpor] -DN=6 plait test -s dpor --points all
 * EXPECT clean complete executions=6 classes=6
 */
#include "../../../bench/scoreboard/threads.h"

#include <stdatomic.h>

static atomic_int first;

static void *claim(void *arg)
{
    int nobody = 0;

    return atomic_compare_exchange_strong(&first, &nobody, 1 + thread_number(arg)) ? &first : NULL;
}

int main(void)
{
    threads_start(N, claim);
    return threads_join() == 1 ? 0 : 1;
}
