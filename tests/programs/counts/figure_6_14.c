/* SPDX-License-Identifier: MIT */
/*
 * Figures 6.14 and 6.15 of Chen, "Guided Testing of Concurrent Programs Using Value Schedules"
 * (2009): which account is changed depends on what is read under its lock, and it is always x: two
 * orders of the sections on x times two of those on y, 4 classes.  With -DAPART each thread has an
 * account of its own: 1 class.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=4
 *
 * RUN    -DAPART plait test -s dfs
 * EXPECT clean complete classes=1
 *
 * RUN    [dpor] plait test -s dpor --points all
 * EXPECT clean complete executions=4 classes=4
 *
 * RUN    [dpor] -DAPART plait test -s dpor --points all
 * EXPECT clean complete executions=1 classes=1
 */
#include "../../../bench/scoreboard/threads.h"

struct account {
    pthread_mutex_t lock;
    _Alignas(8) int val;
};

static struct account x = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct account y = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void change(struct account *a, int amount)
{
    pthread_mutex_lock(&a->lock);
    a->val += amount;
    pthread_mutex_unlock(&a->lock);
}

#ifdef APART
static void *only_x(void *arg)
{
    (void)arg;
    change(&x, 10);
    return NULL;
}

static void *only_y(void *arg)
{
    (void)arg;
    change(&y, -10);
    return NULL;
}
#else
static void *both_in_turn(void *arg)
{
    (void)arg;
    change(&x, 10);
    change(&y, -10);
    return NULL;
}

static void *one_by_sign(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&x.lock);
    struct account *s = x.val >= 0 ? &x : &y;

    s->val -= 10;
    pthread_mutex_unlock(&x.lock);
    change(&y, 10);
    return NULL;
}
#endif

int main(void)
{
#ifdef APART
    thread_start(only_x, 0);
    thread_start(only_y, 0);
#else
    thread_start(both_in_turn, 0);
    thread_start(one_by_sign, 0);
#endif
    threads_join();
    return 0;
}
