/* SPDX-License-Identifier: MIT */
/*
 * Figure 1.1 of Chen, "Guided Testing of Concurrent Programs Using Value Schedules" (2009): one
 * thread clears a value that another sets and divides by.  Three classes: the clearing comes
 * before, between or after; the one in between fails.  What the first thread does to other objects
 * adds none.
 *
 * RUN    plait test -s dfs -k
 * EXPECT assertion complete classes=3
 *
 * RUN    [dpor] plait test -s dpor --points all -k
 * EXPECT assertion complete failures=1 executions=3 classes=3
 */
#include "../../../bench/scoreboard/threads.h"

#include <assert.h>
#include <stdatomic.h>

struct object {
    _Alignas(8) atomic_int val;
};

static struct object a, b, c;

static void *clear(void *arg)
{
    struct object *mine = &a;

    (void)arg;
    atomic_store(&mine->val, 0);
    atomic_store(&c.val, 3);
    mine = &b;
    atomic_store(&mine->val, 0);
    return NULL;
}

/* It would divide by what it reads; it says so instead, so that the others finish in any case. */
static void *divide(void *arg)
{
    (void)arg;
    atomic_store(&a.val, 1);
    return atomic_load(&a.val) == 0 ? &a : NULL;
}

int main(void)
{
    thread_start(clear, 0);
    thread_start(divide, 0);
    assert(threads_join() == 0);
    return 0;
}
