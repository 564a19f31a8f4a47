/* SPDX-License-Identifier: MIT */
/*
 * Figure 4.7 of Chen, "Guided Testing of Concurrent Programs Using Value Schedules" (2009): two
 * orders of the accesses to val times two of the critical sections; where the notifier's is first,
 * the waiter waits for ever.  4 classes, 2 of them deadlocks.
 *
 * RUN    plait test -s dfs -k
 * EXPECT deadlock complete classes=4
 *
 * RUN    [dpor] plait test -s dpor --points all -k
 * EXPECT deadlock complete failures=2 executions=4 classes=4
 */
#include "../../../bench/scoreboard/threads.h"

#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int val;

static void *waiter(void *arg)
{
    (void)arg;
    atomic_store(&val, 1);
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&cond, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *notifier(void *arg)
{
    (void)arg;
    (void)atomic_load(&val);
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    thread_start(waiter, 0);
    thread_start(notifier, 0);
    threads_join();
    return 0;
}
