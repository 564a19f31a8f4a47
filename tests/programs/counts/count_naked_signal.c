/* SPDX-License-Identifier: MIT */
/*
 * Signals without the mutex, which POSIX allows: the order of signal and wait is decided by nothing
 * else.
 *
 *  1 waiter, 1 signal: the signal finds the waiter, or nobody and the waiter waits for ever: 2.
 *  1 waiter, 2 signals: both find nobody, and their order does not matter: 1 deadlock.  One finds
 * nobody, the other the waiter: 2.  Both come after the wait began; the first wakes, the second
 * finds nobody: 2. Together 5. 2 waiters, 1 signal: 10, all of them deadlocks.  The signal comes
 * before both waits: 2 orders of the waits. Between them: 2 orders, and the one that was woken
 * returns before or after the other begins to wait: 4.  After both: 2 orders and 2 choices of whom
 * to wake: 4.
 *
 * RUN    -DWAITERS=1 -DSIGNALS=1 plait test -s dfs -k
 * EXPECT deadlock complete classes=2
 *
 * RUN    -DWAITERS=1 -DSIGNALS=2 plait test -s dfs -k
 * EXPECT deadlock complete
 *
 * RUN    [dpor] -DWAITERS=1 -DSIGNALS=2 plait test -s dfs -k
 * EXPECT deadlock complete classes=5
 *
 * RUN    -DWAITERS=2 -DSIGNALS=1 plait test -s dfs -k
 * EXPECT deadlock,deadlock complete classes=10
 *
 * RUN    [dpor] -DWAITERS=1 -DSIGNALS=1 plait test -s dpor --points all -k
 * EXPECT deadlock complete failures=1 executions=2 classes=2
 *
 * RUN    [dpor] -DWAITERS=1 -DSIGNALS=2 plait test -s dpor --points all -k
 * EXPECT deadlock complete failures=1 executions=5 classes=5
 *
 * RUN    [dpor] -DWAITERS=2 -DSIGNALS=1 plait test -s dpor --points all -k
 * EXPECT deadlock,deadlock complete failures=10 executions=10 classes=10
 */
#include "../../../bench/scoreboard/threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *signaller(void *arg)
{
    (void)arg;
    pthread_cond_signal(&cond);
    return NULL;
}

int main(void)
{
    threads_start(WAITERS, waiter);
    threads_start(SIGNALS, signaller);
    threads_join();
    return 0;
}
