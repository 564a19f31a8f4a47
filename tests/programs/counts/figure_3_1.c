/* SPDX-License-Identifier: MIT */
/*
 * Figure 3.1 of Chen, "Guided Testing of Concurrent Programs Using Value Schedules" (2009): four
 * candidates, of which one cannot be reached (v1), one is two different elements (v2), one is an
 * order of critical sections that does not matter to the result (v3), and one divides by zero (v4).
 * Two orders of v3 times two of v4: when the first thread is first in v3, the division may still
 * come late, and the other way round.  4 classes, 2 of them fail.
 *
 * RUN    plait test -s dfs -k
 * EXPECT assertion complete classes=4
 *
 * RUN    [dpor] plait test -s dpor --points all -k
 * EXPECT assertion complete failures=2 executions=4 classes=4
 */
#include "../../../bench/scoreboard/threads.h"

#include <assert.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(8) atomic_int v1;
static _Alignas(8) atomic_long v2[20];
static _Alignas(8) int v3;
static _Alignas(8) atomic_int v4 = 5;

static void *divide(void *arg)
{
    int id = 1 + thread_number(arg), local = atomic_load(&v1);

    local += (int)atomic_load(&v2[id]);
    pthread_mutex_lock(&lock);
    v3 = 1;
    pthread_mutex_unlock(&lock);
    int divisor = atomic_load(&v4);

    return divisor == 0 || local / divisor < 0 ? &v4 : NULL;
}

static void *multiply(void *arg)
{
    int id = 2 + thread_number(arg), local = 0;

    if (local > id)
        atomic_store(&v1, 3);
    atomic_store(&v2[id], 2);
    pthread_mutex_lock(&lock);
    v3 = 1;
    pthread_mutex_unlock(&lock);
    atomic_store(&v4, atomic_load(&v4) * local);
    return NULL;
}

int main(void)
{
    thread_start(divide, 0);
    thread_start(multiply, 0);
    assert(threads_join() == 0);
    return 0;
}
