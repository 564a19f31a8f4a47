/* SPDX-License-Identifier: MIT */
/*
 * SafeStack: a stack without locks of array indices.  Who pops an index disconnects it first, so
 * that no other thread can follow it, and gives up while only one element is left.  Three threads
 * pop an index, use its element and push it back, N times each.
 *
 * Described in: Vyukov, "Bug with a context switch bound 5", an example for CHESS (2010); SCTBench,
 * misc.safestack.
 *
 * BUG: two threads own the same index: one that was stopped before it disconnects, and one
 * that has got it since
 * KIND: bug
 * FINDS: assertion
 * SIZES: 2
 * BUDGET: 1000000
 * PREEMPTIONS: 5
 * ORDER: @mine before @other and @other before @still
 */
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

enum { THREADS = 3, NOTHING = -1 };

static struct {
    _Alignas(8) atomic_int next;
    _Alignas(8) atomic_int owner;
} element[THREADS];
static _Alignas(8) atomic_int head;
static _Alignas(8) atomic_int n = THREADS;

static int pop(void)
{
    while (atomic_load(&n) > 1) {
        int top = atomic_load(&head);
        int next = atomic_exchange(&element[top].next, NOTHING);

        if (next == NOTHING)
            continue; /* somebody else is popping it */
        int expected = top;

        if (atomic_compare_exchange_strong(&head, &expected, next)) {
            atomic_fetch_sub(&n, 1);
            return top;
        }
        atomic_exchange(&element[top].next, next);
    }
    return NOTHING;
}

static void push(int index)
{
    int top = atomic_load(&head);

    do {
        atomic_store(&element[index].next, top);
    } while (!atomic_compare_exchange_strong(&head, &top, index));
    atomic_fetch_add(&n, 1);
}

static void *use(void *arg)
{
    int me = thread_number(arg);

    for (int i = 0; i < N; i++) {
        int index;

        do
            index = pop();
        while (index == NOTHING);
        atomic_store(&element[index].owner, me);          /* @mine @other */
        assert(atomic_load(&element[index].owner) == me); /* @still */
        push(index);
    }
    return NULL;
}

int main(void)
{
    for (int i = 0; i < THREADS; i++)
        element[i].next = i + 1 < THREADS ? i + 1 : NOTHING;
    threads_start(THREADS, use);
    threads_join();
    return 0;
}
