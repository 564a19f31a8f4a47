/* SPDX-License-Identifier: MIT */
/*
 * Arrivals at a barrier commute. Who goes on first is the one that is told to clean up: N classes
 * for N threads, since the result is used.
 *
 * RUN    -DN=2 plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DN=3 plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    [dpor] -DN=2 plait test -s dfs
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
 * RUN    [dpor] -DN=4 plait test -s dpor --points all
 * EXPECT clean complete executions=4 classes=4
 */
#include "../../../bench/scoreboard/threads.h"

static pthread_barrier_t barrier;

static void *arrive(void *arg)
{
    (void)arg;
    return pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD ? &barrier : NULL;
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, N);
    threads_start(N, arrive);
    return threads_join() == 1 ? 0 : 1;
}
