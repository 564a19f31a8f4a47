/* SPDX-License-Identifier: MIT */
/*
 * Threads that lock nothing but their own mutexes: one class.
 *
 * RUN    -DN=2 -DTIMES=2 plait test -s dfs
 * EXPECT clean complete classes=1
 *
 * RUN    [dpor] -DN=3 -DTIMES=3 plait test -s dpor --points all
 * EXPECT clean complete executions=1 classes=1
 */
#include "../../../bench/scoreboard/threads.h"

static pthread_mutex_t mutex[N];

static void *locker(void *arg)
{
    pthread_mutex_t *own = &mutex[thread_number(arg)];

    for (int i = 0; i < TIMES; i++) {
        pthread_mutex_lock(own);
        pthread_mutex_unlock(own);
    }
    return NULL;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&mutex[i], NULL);
    threads_start(N, locker);
    threads_join();
    return 0;
}
