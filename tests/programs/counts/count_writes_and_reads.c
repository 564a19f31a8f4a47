/* SPDX-License-Identifier: MIT */
/*
 * Two writes in one thread, two reads in another: each read sees 0, 1 or 2 of the writes, and the
 * second no fewer than the first, which makes 6.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=6
 *
 * RUN    [dpor] plait test -s dpor --points all
 * EXPECT clean complete executions=6 classes=6
 */
#include "../../../bench/scoreboard/threads.h"

#include <stdatomic.h>

static atomic_int x;

static void *writer(void *arg)
{
    (void)arg;
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    return NULL;
}

static void *reader(void *arg)
{
    (void)arg;
    int first = atomic_load(&x), second = atomic_load(&x);

    return first > second ? &x : NULL;
}

int main(void)
{
    thread_start(writer, 0);
    thread_start(reader, 0);
    return threads_join();
}
