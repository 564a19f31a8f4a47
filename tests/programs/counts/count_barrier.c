/* SPDX-License-Identifier: MIT */
/*
 * Arrivals at a barrier commute, but for the last one, which lets all go: N classes for N threads,
 * by who is last. Each thread writes before it and reads after it what the others wrote, which adds
 * no order of its own.
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
static struct {
    _Alignas(8) int here;
} thread[N];

static void *arrive(void *arg)
{
    int sum = 0;

    thread[thread_number(arg)].here = 1;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < N; i++)
        sum += thread[i].here;
    return sum == N ? NULL : &barrier;
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, N);
    threads_start(N, arrive);
    return threads_join();
}
