/* SPDX-License-Identifier: MIT */
/*
 * Additions whose result nobody uses commute: one class however many threads add.  With -DUSED each
 * thread looks at what it got, and there are N!; with -DREADER one thread reads in between, and
 * what matters is which additions come before: 2^N.  Whether the result is used is read off the
 * code behind the addition; without optimisation clang stores it in a local variable, which counts
 * as a use.
 *
 * RUN    -DN=3 plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DN=3 -DUSED plait test -s dfs
 * EXPECT clean complete classes=6
 *
 * RUN    [dpor] [O2] -DN=3 plait test -s dfs
 * EXPECT clean complete classes=1
 *
 * RUN    [dpor] [O2] -DN=2 -DREADER plait test -s dfs
 * EXPECT clean complete classes=4
 *
 * RUN    [dpor] [O2] -DN=4 plait test -s dpor --points all
 * EXPECT clean complete executions=1 classes=1
 *
 * RUN    [dpor] -DN=3 -DUSED plait test -s dpor --points all
 * EXPECT clean complete executions=6 classes=6
 *
 * RUN    [dpor] [O2] -DN=3 -DREADER plait test -s dpor --points all
 * EXPECT clean complete executions=8 classes=8
 */
#include "../../../bench/scoreboard/threads.h"

#include <stdatomic.h>

static atomic_int sum;

static void *add(void *arg)
{
    (void)arg;
#ifdef USED
    return atomic_fetch_add(&sum, 1) >= N ? &sum : NULL;
#else
    atomic_fetch_add(&sum, 1);
    return NULL;
#endif
}

#ifdef READER
static void *look(void *arg)
{
    (void)arg;
    return atomic_load(&sum) > N ? &sum : NULL;
}
#endif

int main(void)
{
    threads_start(N, add);
#ifdef READER
    thread_start(look, 0);
#endif
    int wrong = threads_join();

    return wrong == 0 && sum == N ? 0 : 1;
}
