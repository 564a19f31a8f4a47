/* SPDX-License-Identifier: MIT */
/*
 * Atomic accesses need no lock and are not judged.  Nor do they make memory shared:
 * plain accesses of one thread beside them (-DMIXED) are not reported here, that is
 * what the detector race is for.
 *
 * RUN    plait test -s dfs --detect lockset
 * EXPECT clean complete
 *
 * RUN    -DMIXED plait test -s dfs --detect lockset
 * EXPECT clean complete
 */
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int counter;

static void *work(void *arg)
{
    atomic_fetch_add(&counter, 1);
    return arg;
}

static void *other(void *arg)
{
#ifdef MIXED
    *(volatile int *)&counter = 5;
#else
    atomic_store_explicit(&counter, 5, memory_order_relaxed);
#endif
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, work, NULL);
    pthread_create(&u, NULL, other, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
