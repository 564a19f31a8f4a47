/* SPDX-License-Identifier: MIT */
/*
 * Waiters, broadcasters and threads that only enter and leave, all under one mutex.  Nobody tests a
 * condition, so whoever begins to wait after the last broadcast waits for ever.
 *
 * The order of the acquisitions, re-acquisitions after a wake-up included, determines everything.
 *  1 waiter, 1 broadcaster: waiter first, or broadcaster first and then a deadlock: 2.
 *  An entrant more: in the first case it comes at one of four places (before, between the two,
 *    between the broadcast and the re-acquisition, after), in the second at one of three: 7.
 *  2 waiters, 1 broadcaster: both wait in either order and return in either order: 4.  One waits
 * and is woken, and returns before or after the other begins to wait for ever: 2 for each, 4.  Both
 * come too late, in either order: 2.  Together 10, six of them deadlocks. 1 waiter, 2 broadcasters:
 * both come before, in either order: 2 deadlocks.  One before and one after: 2. Both after, in
 * either order, the second of them before or after the re-acquisition: 4.  Together 8.
 *
 * RUN    -DWAITERS=1 -DBROADCASTERS=1 -DENTRANTS=0 plait test -s dfs -k
 * EXPECT deadlock complete classes=2
 *
 * RUN    -DWAITERS=1 -DBROADCASTERS=1 -DENTRANTS=1 plait test -s dfs -k
 * EXPECT deadlock complete classes=7
 *
 * RUN    -DWAITERS=2 -DBROADCASTERS=1 -DENTRANTS=0 plait test -s dfs -k
 * EXPECT deadlock,deadlock complete classes=10
 *
 * RUN    -DWAITERS=1 -DBROADCASTERS=2 -DENTRANTS=0 plait test -s dfs -k
 * EXPECT deadlock complete classes=8
 *
 * RUN    [dpor] -DWAITERS=1 -DBROADCASTERS=1 -DENTRANTS=0 plait test -s dpor --points all -k
 * EXPECT deadlock complete failures=1 executions=2 classes=2
 *
 * RUN    [dpor] -DWAITERS=1 -DBROADCASTERS=1 -DENTRANTS=1 plait test -s dpor --points all -k
 * EXPECT deadlock complete failures=3 executions=7 classes=7
 *
 * RUN    [dpor] -DWAITERS=2 -DBROADCASTERS=1 -DENTRANTS=0 plait test -s dpor --points all -k
 * EXPECT deadlock,deadlock complete failures=6 executions=10 classes=10
 *
 * RUN    [dpor] -DWAITERS=1 -DBROADCASTERS=2 -DENTRANTS=0 plait test -s dpor --points all -k
 * EXPECT deadlock complete failures=2 executions=8 classes=8
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

static void *broadcaster(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&mutex);
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *entrant(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    threads_start(WAITERS, waiter);
    threads_start(BROADCASTERS, broadcaster);
    threads_start(ENTRANTS, entrant);
    threads_join();
    return 0;
}
