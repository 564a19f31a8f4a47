/* SPDX-License-Identifier: MIT */
/*
 * Figure 6.13 of Chen, "Guided Testing of Concurrent Programs Using Value Schedules" (2009), with a
 * pointer to a function in place of a virtual method: which one is called twice depends on the sign
 * of x.  14 classes.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=14
 *
 * RUN    [dpor] plait test -s dpor --points all
 * EXPECT clean complete executions=14 classes=14
 */
#include "../../../bench/scoreboard/threads.h"

#include <stdatomic.h>

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

static void change_locked(struct account *a, int amount)
{
    pthread_mutex_lock(&a->lock);
    change(a, amount);
    pthread_mutex_unlock(&a->lock);
}

static void withdraw(struct account *a)
{
    change(a, -10);
}

static void refuse(struct account *a)
{
    (void)a;
}

static void (*choose(struct account *a))(struct account *)
{
    return atomic_load(&a->val) >= 0 ? withdraw : refuse;
}

static void *first(void *arg)
{
    (void)arg;
    change_locked(&x, 10);
    change_locked(&y, -10);
    return NULL;
}

static void *second(void *arg)
{
    (void)arg;
    choose (&x)(&x);
    choose (&x)(&x);
    change_locked(&y, -10);
    return NULL;
}

int main(void)
{
    thread_start(first, 0);
    thread_start(second, 0);
    threads_join();
    return 0;
}
