/* SPDX-License-Identifier: MIT */
/*
 * What a thread waits for is there, then it is not, then it is again.  That the thread finds it the
 * first time is a class of its own, although between the two there is a state in which it only
 * goes round: 2 classes.  One that waits for something that is never there has no part in any: the
 * two orders of the others are 2 classes (-DNEVER), and each ends in a livelock.
 *
 * RUN    -O1 plait test -s dfs
 * EXPECT clean complete classes=2
 *
 * RUN    -O1 plait test -s dpor
 * EXPECT clean complete classes=2
 *
 * RUN    -O1 plait test -s dpor:source
 * EXPECT clean complete classes=2
 *
 * RUN    [never] -O1 -DNEVER plait test -s dfs -k
 * EXPECT livelock complete exit=1 classes=2
 *
 * RUN    [never] -O1 -DNEVER plait test -s dpor -k
 * EXPECT livelock complete exit=1 classes=2
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;

static void *waits(void *unused)
{
    while (atomic_load(&ready) != 1)
        ;
    return unused;
}

#ifdef NEVER
static atomic_long other;

static void *writes(void *value)
{
    atomic_store(&other, (long)value);
    return NULL;
}
#else
static void *writes(void *unused)
{
    atomic_store(&ready, 1);
    atomic_store(&ready, 0);
    atomic_store(&ready, 1);
    return unused;
}
#endif

int main(void)
{
    pthread_t threads[3];

    pthread_create(&threads[0], NULL, waits, NULL);
    pthread_create(&threads[1], NULL, writes, (void *)1);
#ifdef NEVER
    pthread_create(&threads[2], NULL, writes, (void *)2);
    pthread_join(threads[2], NULL);
#endif
    pthread_join(threads[1], NULL);
    pthread_join(threads[0], NULL);
    return 0;
}
