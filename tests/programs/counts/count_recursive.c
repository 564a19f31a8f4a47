/* SPDX-License-Identifier: MIT */
/*
 * A recursive mutex: what its owner does to it again touches nothing.  N threads that take it
 * twice, one inside the other, have N! classes like any critical section, not the ones of 2 N
 * sections.
 *
 * RUN    -DN=2 plait test -s dfs
 * EXPECT clean complete classes=2
 *
 * RUN    [dpor] -DN=2 plait test -s dpor --points all
 * EXPECT clean complete executions=2 classes=2
 *
 * RUN    [dpor] -DN=3 plait test -s dpor --points all
 * EXPECT clean complete executions=6 classes=6
 */
#include "../../../bench/scoreboard/threads.h"

static pthread_mutex_t mutex;

static void *twice(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t recursive;

    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &recursive);
    threads_start(N, twice);
    threads_join();
    return 0;
}
