/* SPDX-License-Identifier: MIT */
/*
 * wronglock(N): one thread changes a value under its lock and looks whether it has changed by 1; N
 * - 1 others change it under another lock.
 *
 * Described in: SCTBench, CS.wronglock (from the ConTest benchmark), with seven others.
 *
 * BUG: another thread's change comes between the first thread's two looks
 * KIND: bug
 * FINDS: assertion
 * SIZES: 8
 * PREEMPTIONS: 1
 * ORDER: @before before @other and @other before @after
 */
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifndef N
#define N 8
#endif

static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static atomic_int value;
#ifdef FIXED
#define WRONG right
#else
static pthread_mutex_t wrong = PTHREAD_MUTEX_INITIALIZER;
#define WRONG wrong
#endif

static void *careful(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&right);
    int before = atomic_load(&value); /* @before */

    atomic_store(&value, atomic_load(&value) + 1);
    assert(atomic_load(&value) == before + 1); /* @after */
    pthread_mutex_unlock(&right);
    return NULL;
}

static void *other(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&WRONG);
    atomic_store(&value, atomic_load(&value) + 1); /* @other */
    pthread_mutex_unlock(&WRONG);
    return NULL;
}

int main(void)
{
    thread_start(careful, 0);
    threads_start(N - 1, other);
    threads_join();
    return 0;
}
