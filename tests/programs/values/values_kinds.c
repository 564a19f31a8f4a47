/* SPDX-License-Identifier: MIT */
/*
 * What Java's monitors do not have, or have in another way: each with the number of orders that one
 * counts by hand, and that a search without pairs comes to as well.
 *
 * A recursive lock counts once, whoever takes it: 2.
 * RUN    [clang] [whole] -DNESTED --whole plait test -s values -k
 * EXPECT clean complete classes=2
 * RUN    [clang] -DNESTED plait test -s dpor -k
 * EXPECT clean complete classes=2
 *
 * An attempt comes before the lock is taken, while it is, or after: 3.
 * RUN    [clang] [whole] -DTRY --whole plait test -s values -k
 * EXPECT clean complete classes=3
 * RUN    [clang] -DTRY plait test -s dpor -k
 * EXPECT clean complete classes=3
 *
 * The signal comes before the wait, ends it, or comes when its time is over: 3.
 * RUN    [clang] [whole] -DTIMED --whole plait test -s values -k
 * EXPECT clean complete classes=3
 * RUN    [clang] -DTIMED plait test -s dpor -k
 * EXPECT clean complete classes=3
 *
 * Each of two readers comes before the writer or after it: 4.
 * RUN    [clang] [whole] -DREADERS --whole plait test -s values -k
 * EXPECT clean complete classes=4
 * RUN    [clang] -DREADERS plait test -s dpor -k
 * EXPECT clean complete classes=4
 *
 * One of a semaphore, for two: 2.
 * RUN    [clang] [whole] -DSEMAPHORE --whole plait test -s values -k
 * EXPECT clean complete classes=2
 * RUN    [clang] -DSEMAPHORE plait test -s dpor -k
 * EXPECT clean complete classes=2
 *
 * Who comes last to a barrier for two is told so, and asks: 2.
 * RUN    [clang] [whole] -DBARRIER --whole plait test -s values -k
 * EXPECT clean complete classes=2
 * RUN    [clang] -DBARRIER plait test -s dpor -k
 * EXPECT clean complete classes=2
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#if defined(NESTED)
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *first(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    return arg;
}
#define second first
#elif defined(TRY)
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *second(void *arg)
{
    if (pthread_mutex_trylock(&lock) == 0)
        pthread_mutex_unlock(&lock);
    return arg;
}
#elif defined(TIMED)
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *first(void *arg)
{
    struct timespec end;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec++;
    pthread_mutex_lock(&lock);
    pthread_cond_timedwait(&changed, &lock, &end);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *second(void *arg)
{
    pthread_cond_signal(&changed);
    return arg;
}
#elif defined(READERS)
#define THIRD
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *first(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return arg;
}
#define second first

static void *third(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return arg;
}
#elif defined(SEMAPHORE)
static sem_t one;

static void *first(void *arg)
{
    sem_wait(&one);
    sem_post(&one);
    return arg;
}
#define second first
#define BEGIN sem_init(&one, 0, 1)
#else
static pthread_barrier_t barrier;
static int last;

static void *first(void *arg)
{
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        last++;
    return arg;
}
#define second first
#define BEGIN pthread_barrier_init(&barrier, NULL, 2)
#endif

int main(void)
{
    pthread_t a, b;

#ifdef BEGIN
    BEGIN;
#endif
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
#ifdef THIRD
    pthread_t c;

    pthread_create(&c, NULL, third, NULL);
    pthread_join(c, NULL);
#endif
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
