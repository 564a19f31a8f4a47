/* SPDX-License-Identifier: MIT */
/*
 * Figures 5.1 and 5.18 of Chen, "Guided Testing of Concurrent Programs Using Value Schedules"
 * (2009): two threads move money between accounts, and one of them holds the wrong lock.  9
 * classes, 4 of which leave the accounts unequal (x is -10 in two of them and 10 in two).  The
 * branch that sets x to 0 is never taken.  With -DTHIRD a third thread spoils y without any lock:
 * then it can be, and there are 60 classes, 50 of which leave the accounts unequal; dfs agrees, but
 * takes too long for a test.
 *
 * RUN    plait test -s dfs -k
 * EXPECT assertion complete classes=9
 *
 * RUN    -DTHIRD plait test -s random -n 1000
 * EXPECT assertion exit=1
 *
 * RUN    [dpor] plait test -s dpor --points all -k
 * EXPECT assertion complete failures=4 executions=9 classes=9
 *
 * RUN    [dpor] -DTHIRD plait test -s dpor --points all -k
 * EXPECT assertion complete failures=50 executions=60 classes=60
 */
#include "../../../bench/scoreboard/threads.h"

#include <assert.h>
#include <stdatomic.h>

enum { AMOUNT = 10 };

struct account {
    pthread_mutex_t lock;
    _Alignas(8) atomic_int val;
};

static struct account x = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct account y = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void change(struct account *a, int amount)
{
    atomic_store(&a->val, atomic_load(&a->val) + amount);
}

static void *deposit(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&x.lock);
    change(&x, AMOUNT);
    pthread_mutex_unlock(&x.lock);
    pthread_mutex_lock(&y.lock);
    change(&y, AMOUNT);
    pthread_mutex_unlock(&y.lock);
    return NULL;
}

static void *withdraw(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&y.lock); /* the bug: x.lock would be right */
    change(&x, -AMOUNT);
    if (atomic_load(&y.val) < 0)
        atomic_store(&x.val, 0);
    pthread_mutex_unlock(&y.lock);
    pthread_mutex_lock(&y.lock);
    change(&y, -AMOUNT);
    pthread_mutex_unlock(&y.lock);
    return NULL;
}

#ifdef THIRD
static void *spoil(void *arg)
{
    (void)arg;
    atomic_store(&y.val, -999);
    return NULL;
}
#endif

int main(void)
{
    thread_start(deposit, 0);
    thread_start(withdraw, 0);
#ifdef THIRD
    thread_start(spoil, 0);
#endif
    threads_join();
    assert(atomic_load(&x.val) == atomic_load(&y.val));
    return 0;
}
