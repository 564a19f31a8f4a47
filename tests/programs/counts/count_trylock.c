/* SPDX-License-Identifier: MIT */
/*
 * A critical section, and a thread that tries the same mutex: before it, inside it (the only place
 * where it fails) or after it, 3 classes.  Two critical sections and one that tries (-DN=2): 5
 * places in each of the two orders of the sections, 10 classes.  With -DTIMED it is a timed lock,
 * which runs out of time just where trying fails.
 *
 * With -DNEVER=0 the program claims that the try never fails, with -DNEVER=1 that it never
 * succeeds; both are wrong.
 *
 * RUN    -DN=1 plait test -s dfs
 * EXPECT clean complete classes=3
 *
 * RUN    -DN=2 plait test -s dfs
 * EXPECT clean complete classes=10
 *
 * RUN    -DN=1 -DTIMED plait test -s dfs
 * EXPECT clean complete classes=3
 *
 * RUN    -DN=1 -DNEVER=0 plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DN=1 -DNEVER=1 plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DN=1 -DNEVER=0 -DTIMED plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    [dpor] -DN=1 plait test -s dpor --points all
 * EXPECT clean complete executions=3 classes=3
 *
 * RUN    [dpor] -DN=2 plait test -s dpor --points all
 * EXPECT clean complete executions=10 classes=10
 *
 * RUN    [dpor] -DN=1 -DTIMED plait test -s dpor --points all
 * EXPECT clean complete executions=3 classes=3
 */
#include "../../../bench/scoreboard/threads.h"

#include <assert.h>
#include <time.h>

#ifndef NEVER
#define NEVER 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int try(void)
{
#ifdef TIMED
    struct timespec soon;

    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    return pthread_mutex_timedlock(&mutex, &soon);
#else
    return pthread_mutex_trylock(&mutex);
#endif
}

static void *section(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *trier(void *arg)
{
    int taken = try() == 0;

    (void)arg;
    if (taken)
        pthread_mutex_unlock(&mutex);
    return taken ? &mutex : NULL;
}

int main(void)
{
    threads_start(N, section);
    thread_start(trier, 0);
    assert(threads_join() != NEVER);
    return 0;
}
