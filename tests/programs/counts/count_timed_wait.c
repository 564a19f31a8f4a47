/* SPDX-License-Identifier: MIT */
/*
 * A timed wait and a signal, both under the mutex: the signaller is first and finds nobody, then
 * time runs out; or the wait begins, and time runs out before the signaller comes; or the signaller
 * wakes it; or time runs out while the signaller is about to signal or has the mutex already, so
 * that it finds nobody, and the waiter has the mutex after it.  4 classes.
 *
 * With -DNEVER=0 the program claims that time always runs out, with -DNEVER=1 that it never does.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=4
 *
 * RUN    -DNEVER=0 plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DNEVER=1 plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    [dpor] plait test -s dpor --points all
 * EXPECT clean complete executions=4 classes=4
 *
 * With KILL it is told by a signal for the thread, whose handler may come while it waits for the
 * mutex again: dpor had no order in which time runs out before the signal is sent and behind the
 * mutex.
 *
 * RUN    -DKILL plait test -s dfs
 * EXPECT clean complete classes=8
 *
 * RUN    -DKILL plait test -s dpor
 * EXPECT clean complete classes=8
 */
#include "../../../bench/scoreboard/threads.h"

#include <assert.h>
#include <signal.h>
#include <time.h>

#ifndef NEVER
#define NEVER 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg)
{
    struct timespec soon;

    (void)arg;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    pthread_mutex_lock(&mutex);
    int result = pthread_cond_timedwait(&cond, &mutex, &soon);

    pthread_mutex_unlock(&mutex);
    return result != 0 ? &cond : NULL;
}

static void handle(int number)
{
    (void)number;
}

static void *signaller(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&mutex);
#ifdef KILL
    pthread_kill(threads.started[0], SIGUSR1);
#else
    pthread_cond_signal(&cond);
#endif
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    signal(SIGUSR1, handle);
    thread_start(waiter, 0);
    thread_start(signaller, 0);
    assert(threads_join() != NEVER);
    return 0;
}
