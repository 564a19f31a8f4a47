/* SPDX-License-Identifier: MIT */
/*
 * work-stealing queue: the owner pushes and pops at the tail, a thief takes from the head.  Both
 * first announce what they take and then look whether the other has come that far; a lock settles
 * the case where both want the last item.  Here the thief looks first and announces later.
 *
 * Described in: Leijen's queue as tested by Musuvathi and Qadeer, "Iterative context bounding for
 * systematic testing of multithreaded programs" (PLDI 2007); SCTBench, chess.WSQ.  The protocol is
 * Dijkstra's, the mistake one of the kinds that they planted.
 *
 * BUG: the owner takes an item after the thief has looked and before it has announced
 * KIND: bug
 * FINDS: assertion
 * PREEMPTIONS: 2
 * ORDER: @looks before @shrinks and @checks before @claims
 */
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { ITEMS = 4, STEALS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(8) atomic_int head;
static _Alignas(8) atomic_int tail;
static atomic_int slot[ITEMS], taken[ITEMS];

static void push(int item)
{
    int t = atomic_load(&tail);

    atomic_store(&slot[t], item);
    atomic_store(&tail, t + 1);
}

/* The thief may be at the same item: with the lock it is not. */
static bool pop_last(int t, int *item)
{
    pthread_mutex_lock(&lock);
    bool found = atomic_load(&head) <= t;

    if (found)
        *item = atomic_load(&slot[t]);
    else
        atomic_store(&tail, t + 1);
    pthread_mutex_unlock(&lock);
    return found;
}

static bool pop(int *item)
{
    int t = atomic_load(&tail) - 1;

    if (t < 0)
        return false;
    atomic_store(&tail, t);       /* @shrinks */
    if (atomic_load(&head) > t) { /* @checks */
        return pop_last(t, item);
    }
    *item = atomic_load(&slot[t]);
    return true;
}

static bool steal(int *item)
{
    pthread_mutex_lock(&lock);
    int h = atomic_load(&head);
#ifdef FIXED
    atomic_store(&head, h + 1);
    bool found = h < atomic_load(&tail);

    if (!found)
        atomic_store(&head, h);
#else
    bool found = h < atomic_load(&tail); /* @looks */

    if (found)
        atomic_store(&head, h + 1); /* @claims */
#endif
    if (found)
        *item = atomic_load(&slot[h]);
    pthread_mutex_unlock(&lock);
    return found;
}

static void use(int item)
{
    assert(atomic_fetch_add(&taken[item], 1) == 0);
}

static void *thief(void *arg)
{
    int item = 0;

    (void)arg;
    for (int i = 0; i < STEALS; i++) {
        if (steal(&item))
            use(item);
    }
    return NULL;
}

static void own(void)
{
    int item = 0;

    for (int i = 0; i < ITEMS; i += 2) {
        push(i);
        push(i + 1);
        if (pop(&item))
            use(item);
    }
    for (int i = 0; i < ITEMS / 2; i++) {
        if (pop(&item))
            use(item);
    }
}

int main(void)
{
    thread_start(thief, 0);
    own();
    threads_join();
    for (int i = 0; i < ITEMS; i++)
        assert(taken[i] == 1);
    return 0;
}
