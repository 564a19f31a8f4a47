/* SPDX-License-Identifier: MIT */
/*
 * Posts commute with each other, waits with nothing.  Two threads post once each.
 *
 *  One thread waits twice: both posts come before the first wait, or either of them between the
 * two: 3 classes. Two threads wait once each (-DAPART): the same three for either order of the
 * waits, 6 classes.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DAPART plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    [dpor] plait test -s dfs
 * EXPECT clean complete classes=3
 *
 * RUN    [dpor] -DAPART plait test -s dfs
 * EXPECT clean complete classes=6
 *
 * RUN    [dpor] plait test -s dpor --points all
 * EXPECT clean complete executions=3 classes=3
 *
 * RUN    [dpor] -DAPART plait test -s dpor --points all
 * EXPECT clean complete executions=6 classes=6
 */
#include "../../../bench/scoreboard/threads.h"

#include <semaphore.h>

static sem_t sem;

static void *poster(void *arg)
{
    (void)arg;
    sem_post(&sem);
    return NULL;
}

static void *waiter(void *arg)
{
    int times = thread_number(arg);

    for (int i = 0; i < times; i++)
        sem_wait(&sem);
    return NULL;
}

int main(void)
{
    int left = -1;

    sem_init(&sem, 0, 0);
    threads_start(2, poster);
#ifdef APART
    thread_start(waiter, 1);
    thread_start(waiter, 1);
#else
    thread_start(waiter, 2);
#endif
    threads_join();
    sem_getvalue(&sem, &left);
    return left;
}
