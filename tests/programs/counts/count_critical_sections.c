/* SPDX-License-Identifier: MIT */
/*
 * N threads, one critical section each on one mutex: N! classes.  What they do inside is ordered by
 * the mutex and adds none.
 *
 * RUN    -DN=2 plait test -s dfs
 * EXPECT clean complete classes=2
 *
 * RUN    -DN=3 plait test -s dfs
 * EXPECT clean complete classes=6
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
 * RUN    [dpor] -DN=5 plait test -s dpor --points all
 * EXPECT clean complete executions=120 classes=120
 */
#include "../../../bench/scoreboard/threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *section(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    threads_start(N, section);
    threads_join();
    return counter == N ? 0 : 1;
}
