/* SPDX-License-Identifier: MIT */
/*
 * reorder(N): N - 1 threads set a and then b, one thread checks that both or neither are set.  The
 * more setters there are, the rarer it is that one of them is stopped in the middle while no other
 * has finished.
 *
 * Described in: SCTBench, CS.reorder_N.
 *
 * BUG: the check finds a set by some thread, and b by none
 * KIND: bug
 * FINDS: assertion
 * SIZES: 3 5 10 20 50 100
 * PREEMPTIONS: 1
 * ORDER: @set_a before @check and @check before @set_b
 */
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int a, b;

#ifdef FIXED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define ENTER() pthread_mutex_lock(&lock)
#define LEAVE() pthread_mutex_unlock(&lock)
#else
#define ENTER() ((void)0)
#define LEAVE() ((void)0)
#endif

static void *set(void *arg)
{
    (void)arg;
    ENTER();
    atomic_store(&a, 1);  /* @set_a */
    atomic_store(&b, -1); /* @set_b */
    LEAVE();
    return NULL;
}

static void *check(void *arg)
{
    (void)arg;
    ENTER();
    assert((a == 0 && b == 0) || (a == 1 && b == -1)); /* @check */
    LEAVE();
    return NULL;
}

int main(void)
{
    threads_start(N - 1, set);
    thread_start(check, 0);
    threads_join();
    return 0;
}
