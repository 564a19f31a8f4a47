/* SPDX-License-Identifier: MIT */
/*
 * token ring(N): thread i copies the value of the one before it, the first one adds 1 to that of
 * the last; each once, under the lock.  When all have done so, a checker expects them to be equal.
 *
 * Described in: SCTBench, CS.token_ring, with three threads and the checker.
 *
 * With -DFIXED the checker expects no more than it may.  N + 1 critical sections have (N + 1)!
 * orders.
 *
 * BUG: some thread copies before the one before it has done its part; with three threads, one that
 * comes before the first
 * KIND: bug
 * FINDS: assertion
 * SIZES: 3 4 5
 * FIXED_CLASSES: 2=6 3=24 4=120 5=720
 * PREEMPTIONS: 0
 * ORDER: @copy before @begin
 */
#include "threads.h"

#include <assert.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x[N], done;

static void *begin(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock); /* @begin */
    x[0] = (x[N - 1] + 1) % 4;
    done++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *copy(void *arg)
{
    int i = thread_number(arg) + 1;

    pthread_mutex_lock(&lock); /* @copy */
    x[i] = x[i - 1];
    done++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *check(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    for (int i = 1; done == N && i < N; i++) {
#ifdef FIXED
        assert(x[i] >= 0 && x[i] < 4);
#else
        assert(x[i] == x[0]);
#endif
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        x[i] = 1 + i % 2; /* 1, 2, 1, ... */
    thread_start(begin, 0);
    threads_start(N - 1, copy);
    thread_start(check, 0);
    threads_join();
    return 0;
}
