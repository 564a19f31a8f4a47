/* SPDX-License-Identifier: MIT */
/*
 * Relaxed accesses between a release fence and an acquire fence.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones
 * TSAN race: it does not know fences
 */
#include "two.h"

#include <stdatomic.h>

static atomic_int ready;
int data;

static void *writer(void *arg)
{
    data = 1; /* @here */
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return arg;
}

static void *reader(void *arg)
{
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        return seen(arg, data);
    }
    return arg;
}

int main(void)
{
    return both(writer, reader);
}
