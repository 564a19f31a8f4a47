/* SPDX-License-Identifier: MIT */
/*
 * Three dining philosophers, one of them main, take the left fork, then the
 * right one: each may hold one and wait for ever for the other.  With -DFIXED=1
 * the last one takes the right fork first.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT deadlock preemptions=1 minimal=proven threads=3 exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT deadlock threads=3 exit=1
 *
 * RUN    -DFIXED=1 plait test -s random -n 2000
 * EXPECT clean exit=0
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 native
 * EXPECT exit=0
 */
#include <pthread.h>
#include <stdint.h>

#ifndef FIXED
#define FIXED 0
#endif

enum { PHILOSOPHERS = 3 };

static pthread_mutex_t forks[PHILOSOPHERS] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};

static void *philosopher(void *arg)
{
    int me = (int)(intptr_t)arg;
    int left = me, right = (me + 1) % PHILOSOPHERS;
    int first = FIXED && right < left ? right : left;
    int second = first == left ? right : left;

    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return NULL;
}

int main(void)
{
    pthread_t t[PHILOSOPHERS];

    for (intptr_t i = 1; i < PHILOSOPHERS; i++)
        pthread_create(&t[i], NULL, philosopher, (void *)i);
    philosopher((void *)0);
    for (int i = 1; i < PHILOSOPHERS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
