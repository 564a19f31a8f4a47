/* SPDX-License-Identifier: MIT */
/*
 * Figure 4.2 of Chen, "Guided Testing of Concurrent Programs Using Value Schedules" (2009).  Part
 * 1: two locks in opposite order.  Either thread finishes first, or both hold one: 3 classes, one a
 * deadlock, which ends the execution whatever main is about (so not with every access a point).
 * Part 2: a critical section before, between or after two others: 3 classes.
 *
 * RUN    -DPART=1 plait test -s dfs -k
 * EXPECT deadlock complete classes=3
 *
 * RUN    -DPART=2 plait test -s dfs
 * EXPECT clean complete classes=3
 *
 * RUN    [dpor] -DPART=1 plait test -s dpor -k
 * EXPECT deadlock complete failures=1 executions=3 classes=3
 *
 * RUN    [dpor] -DPART=2 plait test -s dpor --points all
 * EXPECT clean complete executions=3 classes=3
 */
#include "../../../bench/scoreboard/threads.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void nested(pthread_mutex_t *outer, pthread_mutex_t *inner)
{
    pthread_mutex_lock(outer);
    pthread_mutex_lock(inner);
    pthread_mutex_unlock(inner);
    pthread_mutex_unlock(outer);
}

static void section(void)
{
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
}

static void *first(void *arg)
{
    (void)arg;
    if (PART == 1) {
        nested(&a, &b);
    } else {
        section();
        section();
    }
    return NULL;
}

static void *second(void *arg)
{
    (void)arg;
    if (PART == 1)
        nested(&b, &a);
    else
        section();
    return NULL;
}

int main(void)
{
    thread_start(first, 0);
    thread_start(second, 0);
    threads_join();
    return 0;
}
