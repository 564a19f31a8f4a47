/* SPDX-License-Identifier: MIT */
/*
 * Pairs of accesses that could change places: the search over blocks says that it is not complete,
 * and where both of them are.  And pairs that could not, although no lock is held.
 *
 * RUN    -DJOINED_BY_ANOTHER plait test -s exitblock
 * EXPECT clean incomplete ended~block_pairs.*and.*block_pairs.*access.x
 *
 * RUN    -DJOINED_BY_ANOTHER plait test -s exitblock:plain
 * EXPECT clean incomplete
 *
 * RUN    -DPART plait test -s exitblock
 * EXPECT clean incomplete
 *
 * RUN    -DTWO_LOCKS plait test -s exitblock
 * EXPECT clean incomplete
 *
 * RUN    -DBOTH_READ plait test -s exitblock
 * EXPECT clean incomplete
 *
 * RUN    -DTOO_EARLY plait test -s exitblock
 * EXPECT clean incomplete
 *
 * RUN    -DATOMIC_AND_PLAIN plait test -s exitblock
 * EXPECT clean incomplete
 *
 * RUN    -DFLAG_TOO_EARLY plait test -s exitblock
 * EXPECT clean incomplete
 *
 * RUN    -DBARRIER_TOO_LATE plait test -s exitblock
 * EXPECT clean incomplete
 *
 * RUN    -DFLAG plait test -s exitblock
 * EXPECT clean complete
 *
 * RUN    -DBARRIER plait test -s exitblock
 * EXPECT clean complete
 *
 * RUN    -DONCE plait test -s exitblock
 * EXPECT clean complete
 */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static sem_t s;
static int x, flag, seen[2];
static char bytes[16];

static void set(void)
{
    x = 7;
}

static void *first(void *arg)
{
#if defined(JOINED_BY_ANOTHER) || defined(BOTH_READ)
    pthread_rwlock_rdlock(&rw);
    x++;
    pthread_rwlock_unlock(&rw);
#elif defined(PART)
    pthread_mutex_lock(&m);
    memset(bytes, 1, sizeof(bytes));
    pthread_mutex_unlock(&m);
#elif defined(TWO_LOCKS)
    pthread_mutex_lock(&other);
    x++;
    pthread_mutex_unlock(&other);
#elif defined(TOO_EARLY)
    sem_post(&s);
    x = 1;
#elif defined(ATOMIC_AND_PLAIN)
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
#elif defined(FLAG) || defined(FLAG_TOO_EARLY)
    x = 1;
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
#ifdef FLAG_TOO_EARLY
    x = 2;
#endif
#elif defined(BARRIER) || defined(BARRIER_TOO_LATE)
    x = 1;
    pthread_barrier_wait(&barrier);
#ifdef BARRIER_TOO_LATE
    x = 2;
#endif
#elif defined(ONCE)
    pthread_once(&once, set);
    seen[0] = x;
#endif
    return arg;
}

static void *second(void *arg)
{
#if defined(JOINED_BY_ANOTHER)
    x++;
#elif defined(BOTH_READ)
    pthread_rwlock_rdlock(&rw);
    x++;
    pthread_rwlock_unlock(&rw);
#elif defined(PART)
    seen[1] = bytes[7] + bytes[10];
#elif defined(TWO_LOCKS)
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
#elif defined(TOO_EARLY)
    sem_wait(&s);
    seen[1] = x;
#elif defined(ATOMIC_AND_PLAIN)
    seen[1] = x;
#elif defined(FLAG) || defined(FLAG_TOO_EARLY)
    pthread_mutex_lock(&m);
    int set_already = flag;

    pthread_mutex_unlock(&m);
    if (set_already)
        seen[1] = x;
#elif defined(BARRIER) || defined(BARRIER_TOO_LATE)
    pthread_barrier_wait(&barrier);
    seen[1] = x;
#elif defined(ONCE)
    pthread_once(&once, set);
    seen[1] = x;
#endif
    return arg;
}

int main(void)
{
    pthread_t a, b;

    (void)set, (void)once, (void)m, (void)other, (void)rw, (void)flag, (void)bytes;
    sem_init(&s, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return seen[0] + seen[1] + x > 100;
}
