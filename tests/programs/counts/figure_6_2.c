/* SPDX-License-Identifier: MIT */
/*
 * Figure 6.2 of Chen, "Guided Testing of Concurrent Programs Using Value Schedules" (2009), whose
 * drawing is lost; the text calls it figure 5.1 without the two critical sections on y.  So one
 * thread reads and writes x under a lock that only it uses, the other without.  Either thread is
 * done with x before the other begins (2), or both read before either writes, and then one of the
 * writes is first (2): 4 classes.  The branch is never taken.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=4
 *
 * RUN    [dpor] plait test -s dpor --points all
 * EXPECT clean complete executions=4 classes=4
 */
#include "../../../bench/scoreboard/threads.h"

#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(8) atomic_int x;
static _Alignas(8) atomic_int y;

static void *deposit(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    atomic_store(&x, atomic_load(&x) + 10);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *withdraw(void *arg)
{
    (void)arg;
    atomic_store(&x, atomic_load(&x) - 10);
    if (atomic_load(&y) < 0)
        atomic_store(&x, 0);
    return NULL;
}

int main(void)
{
    thread_start(deposit, 0);
    thread_start(withdraw, 0);
    threads_join();
    return 0;
}
