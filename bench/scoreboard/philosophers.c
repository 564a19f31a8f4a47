/* SPDX-License-Identifier: MIT */
/*
 * Dining philosophers: each of N takes the fork to the left, then the one to the right, eats once
 * and puts both back.  With -DFIXED the last one takes the right fork first.
 *
 * Described in: Dijkstra, "Hierarchical ordering of sequential processes" (1971).
 *
 * Each fork has two users and so two orders, 2^N together.  Where everybody comes first at the left
 * fork there is the deadlock; where everybody comes second, each would have to wait for the one
 * before to finish, all around the table, which cannot be.  So there are 2^N - 1 classes.
 *
 * BUG: all hold the left fork and wait for the right one
 * KIND: growing
 * FINDS: deadlock
 * CLASSES: 2=3 3=7 4=15 5=31 8=255 10=1023
 * FIXED_CLASSES: 2=2 3=6
 * PREEMPTIONS: 1
 * ORDER: @left before @right
 */
#include "threads.h"

#ifndef N
#define N 3
#endif
#ifdef FIXED
#define LEFT_HANDED (N - 1)
#else
#define LEFT_HANDED N
#endif

static pthread_mutex_t forks[N];

static void *philosopher(void *arg)
{
    int me = thread_number(arg), left = me, right = (me + 1) % N;
    int first = me == LEFT_HANDED ? right : left, second = first == left ? right : left;

    pthread_mutex_lock(&forks[first]);  /* @left */
    pthread_mutex_lock(&forks[second]); /* @right */
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return NULL;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], NULL);
    threads_start(N, philosopher);
    threads_join();
    return 0;
}
