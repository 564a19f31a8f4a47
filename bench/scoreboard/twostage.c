/* SPDX-License-Identifier: MIT */
/*
 * twostage(N): N - 1 threads set one value and then, under another lock, a second one that follows
 * from it.  One thread reads both, each under its lock, and compares.
 *
 * Described in: SCTBench, CS.twostage_N (from the ConTest benchmark).
 *
 * BUG: the reader comes between the two stages of the first writer
 * KIND: bug
 * FINDS: assertion
 * SIZES: 2 20 50 100
 * PREEMPTIONS: 1
 * ORDER: @stage_1 before @read_1 and @read_2 before @stage_2
 */
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t lock_1 = PTHREAD_MUTEX_INITIALIZER, lock_2 = PTHREAD_MUTEX_INITIALIZER;
static atomic_int data_1; /* the second stage reads it without its lock */
static int data_2;

static void *writer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock_1); /* @stage_1 */
    atomic_store(&data_1, 1);
#ifndef FIXED
    pthread_mutex_unlock(&lock_1);
#endif
    pthread_mutex_lock(&lock_2); /* @stage_2 */
    data_2 = atomic_load(&data_1) + 1;
    pthread_mutex_unlock(&lock_2);
#ifdef FIXED
    pthread_mutex_unlock(&lock_1);
#endif
    return NULL;
}

static void *reader(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock_1); /* @read_1 */
    int first = atomic_load(&data_1);

    pthread_mutex_unlock(&lock_1);
    if (first == 0)
        return NULL;
    pthread_mutex_lock(&lock_2); /* @read_2 */
    int second = data_2;

    pthread_mutex_unlock(&lock_2);
    assert(second == first + 1);
    return NULL;
}

int main(void)
{
    threads_start(N - 1, writer);
    thread_start(reader, 0);
    threads_join();
    return 0;
}
