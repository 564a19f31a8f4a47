/* SPDX-License-Identifier: MIT */
/*
 * A ticket lock and N threads: as many classes as there are orders of the threads, n!.  How often a
 * thread looks at the number that is served before it is its own makes no difference; an execution
 * in which it was to look earlier, and goes round its loop, ends there.  Without optimisation what
 * it has read lies on its stack, and each value makes another state.
 *
 * RUN    -O1 -DN=2 plait test -s dfs
 * EXPECT clean complete classes=2
 *
 * RUN    -O1 -DN=2 plait test -s dpor
 * EXPECT clean complete classes=2
 *
 * RUN    -O1 -DN=3 plait test -s dpor
 * EXPECT clean complete classes=6
 *
 * RUN    -O1 -DN=3 plait test -s dpor:source
 * EXPECT clean complete classes=6
 *
 * RUN    -O1 -DN=3 plait test -s hapset:then=dpor
 * EXPECT clean complete classes=6
 *
 * RUN    -O1 -DN=4 plait test -s dpor
 * EXPECT clean complete classes=24
 *
 * RUN    -O1 -DN=5 plait test -s dpor
 * EXPECT clean complete classes=120
 *
 * RUN    [cas] -O1 -DN=3 -DCAS plait test -s dpor
 * EXPECT clean complete classes=6
 *
 * RUN    [cas] -O1 -DN=5 -DCAS plait test -s dpor
 * EXPECT clean complete classes=120
 *
 * RUN    [try] -O1 -DN=3 -DTRY plait test -s dpor
 * EXPECT clean complete classes=6
 *
 * RUN    [try] -O1 -DN=4 -DTRY plait test -s dpor
 * EXPECT clean complete classes=24
 *
 * RUN    [try] -O1 -DN=2 -DTRY plait test -s dfs
 * EXPECT clean complete classes=2
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static int value;

#if defined(CAS)
static atomic_int taken;

static void lock(void)
{
    int expected = 0;

    while (!atomic_compare_exchange_strong(&taken, &expected, 1))
        expected = 0;
}

static void unlock(void)
{
    atomic_store(&taken, 0);
}
#elif defined(TRY)
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
    while (pthread_mutex_trylock(&mutex) != 0)
        sched_yield();
}

static void unlock(void)
{
    pthread_mutex_unlock(&mutex);
}
#else
static atomic_uint next, served;

static void lock(void)
{
    unsigned mine = atomic_fetch_add(&next, 1);

    while (atomic_load(&served) != mine)
        ;
}

static void unlock(void)
{
    atomic_fetch_add(&served, 1);
}
#endif

static void *work(void *unused)
{
    lock();
    value++;
    unlock();
    return unused;
}

int main(void)
{
    pthread_t threads[N];

    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return value != N;
}
