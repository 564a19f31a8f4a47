/* SPDX-License-Identifier: MIT */
/*
 * Figure 2.3 of Chen, "Guided Testing of Concurrent Programs Using Value Schedules" (2009): two
 * critical sections that belong together, and a third that reads before, between or after them: 3
 * classes.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=3
 *
 * RUN    [dpor] plait test -s dpor --points all
 * EXPECT clean complete executions=3 classes=3
 */
#include "../../../bench/scoreboard/threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a;

static void *change(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    a = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    a = a + 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *look(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    int seen = a;

    pthread_mutex_unlock(&lock);
    return seen > 2 ? &a : NULL;
}

int main(void)
{
    thread_start(change, 0);
    thread_start(look, 0);
    return threads_join();
}
