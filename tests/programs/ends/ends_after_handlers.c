/* SPDX-License-Identifier: MIT */
/*
 * Threads run until the process is gone, also after the last thing that the last exit handler did.
 * The end is an operation: the thread may look before the handler, after it, or not at all.
 *
 * With the two looks of the thread l and k, the handler's store s and the end e there are: s e; l s
 * e; s l e; l k s e; l s k e; s l k e.  Each is a class of its own, since what was cut off counts.
 *
 * RUN    plait test -s dfs -k
 * EXPECT clean complete classes=6
 *
 * RUN    [dpor] plait test -s dpor -k
 * EXPECT clean complete classes=6
 *
 * RUN    -DCHECK plait test -s dfs
 * EXPECT assertion location~@late
 *
 * RUN    [dpor] -DCHECK plait test -s dpor
 * EXPECT assertion location~@late
 *
 * RUN    -DCHECK -DQUICK plait test -s dfs
 * EXPECT assertion location~@late
 *
 * RUN    [dpor] -DQUICK plait test -s dpor -k
 * EXPECT clean complete classes=6 restart=rollback
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int closed;

static void close_all(void)
{
    atomic_store(&closed, 1);
}

static void look(void)
{
    int seen = atomic_load(&closed);

#ifdef CHECK
    assert(!seen); /* @late */
#endif
    (void)seen;
}

static void *run(void *arg)
{
    look();
    look();
    return arg;
}

int main(void)
{
    pthread_t t;

#ifdef QUICK
    at_quick_exit(close_all);
#else
    atexit(close_all);
#endif
    pthread_create(&t, NULL, run, NULL);
#ifdef QUICK
    quick_exit(0);
#endif
    return 0;
}
