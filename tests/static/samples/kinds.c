/* SPDX-License-Identifier: MIT */
/*
 * What C has besides monitors: attempts, read-write locks, semaphores, barriers, once, atomics.
 *
 * PAIR try m
 * PAIR MM rw
 * PAIR sem s
 * PAIR barrier b
 * PAIR once o
 * PAIR atomic n
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t b;
static pthread_once_t o = PTHREAD_ONCE_INIT;
static sem_t s;
static atomic_int n;

static void init(void)
{
}

static void *t1(void *arg)
{
    if (pthread_mutex_trylock(&m) == 0)
        pthread_mutex_unlock(&m);
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_unlock(&rw);
    sem_wait(&s);
    pthread_barrier_wait(&b);
    pthread_once(&o, init);
    n++;
    return arg;
}

static void *t2(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_rwlock_wrlock(&rw);
    pthread_rwlock_unlock(&rw);
    sem_post(&s);
    pthread_barrier_wait(&b);
    pthread_once(&o, init);
    n++;
    return arg;
}

int main(void)
{
    pthread_t t[2];

    pthread_barrier_init(&b, NULL, 2);
    sem_init(&s, 0, 0);
    pthread_create(&t[0], NULL, t1, NULL);
    pthread_create(&t[1], NULL, t2, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
