/* SPDX-License-Identifier: MIT */
/*
 * Three races in one program, found with the same counts however an execution gets a fresh
 * program, whatever threads run on, and by every strategy.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT race,race,race complete exit=1 location~@here
 *
 * RUN    plait test -s dpor --detect race -k --restart fork
 * EXPECT race,race,race complete exit=1 same=1 replay=1
 *
 * RUN    plait test -s dpor --detect race -k --restart exec
 * EXPECT race,race,race complete exit=1 same=1 replay=1
 *
 * RUN    plait test -s dpor --detect race -k --checkpoints always
 * EXPECT race,race,race complete exit=1 same=1 replay=1
 *
 * RUN    plait test -s dpor --detect race -k --carrier thread
 * EXPECT race,race,race complete exit=1 same=1 replay=1
 *
 * RUN    plait test -s dfs --detect race -k
 * EXPECT race,race,race complete exit=1 location~@here
 *
 * RUN    plait test -s dfs --detect race -k --checkpoints always
 * EXPECT race,race,race complete exit=1 same=6 replay=1
 *
 * RUN    plait test -s random -n 300 --detect race -k
 * EXPECT race,race,race exit=1 location~@here
 *
 * RUN    plait test -s auto -n 300 --detect race -k
 * EXPECT race,race,race exit=1 location~@here
 *
 * RUN    plait test -s dpor --detect +race
 * EXPECT race,race exit=1 executions=1 location~@here
 *
 * RUN    plait test -s dpor -k
 * EXPECT clean complete exit=0
 */
#include "two.h"

#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
int data, flag, count;

static void *first(void *arg)
{
    data = 1; /* @here */
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    pthread_mutex_lock(&lock);
    count = 1; /* @here */
    pthread_mutex_unlock(&lock);
    flag = 1; /* @here */
    return arg;
}

static void *second(void *arg)
{
    int sum = 0;

    if (atomic_load_explicit(&ready, memory_order_acquire))
        sum = data; /* @here */
    pthread_mutex_lock(&lock);
    sum += flag; /* @here */
    pthread_mutex_unlock(&lock);
    return seen(arg, sum + count); /* @here */
}

int main(void)
{
    return both(first, second);
}
