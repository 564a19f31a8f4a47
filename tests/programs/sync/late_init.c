/* SPDX-License-Identifier: MIT */
/*
 * An object is made when another thread may use it already: OBJECT says which, and how.  0 to 3 end
 * in somebody's critical section being entered twice, or in an unlock of what is not locked; in 4
 * and 5 what was posted is gone, in 6 a barrier is used that is none yet.  With -DEARLY=1 it is
 * made before there is another thread, and nothing is wrong.
 *
 * RUN    -DOBJECT=0 plait test -s dpor
 * EXPECT assertion|misuse
 *
 * RUN    -DOBJECT=0 plait test -s dfs
 * EXPECT assertion|misuse
 *
 * RUN    -DOBJECT=1 plait test -s dpor
 * EXPECT assertion|misuse
 *
 * RUN    -DOBJECT=2 plait test -s dpor
 * EXPECT assertion|misuse
 *
 * RUN    -DOBJECT=3 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DOBJECT=4 plait test -s dpor
 * EXPECT deadlock
 *
 * RUN    -DOBJECT=4 plait test -s dfs
 * EXPECT deadlock
 *
 * RUN    -DOBJECT=5 plait test -s dpor
 * EXPECT deadlock
 *
 * RUN    -DOBJECT=6 plait test -s dpor
 * EXPECT misuse message~never.initialised
 *
 * RUN    -DOBJECT=0 -DEARLY=1 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DOBJECT=3 -DEARLY=1 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DOBJECT=4 -DEARLY=1 plait test -s dpor
 * EXPECT clean complete executions=1
 *
 * RUN    -DOBJECT=6 -DEARLY=1 plait test -s dpor
 * EXPECT clean complete executions=1
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <threads.h>

#ifndef EARLY
#define EARLY 0
#endif

static pthread_mutex_t mutex;
static mtx_t c11;
static pthread_rwlock_t rwlock;
static sem_t semaphore;
static pthread_barrier_t barrier;
static volatile int inside, clash;

static void make(void)
{
    switch (OBJECT) {
    case 0:
        pthread_mutex_init(&mutex, NULL);
        break;
    case 1:
        memset(&mutex, 0, sizeof(mutex));
        break;
    case 2:
        mtx_init(&c11, mtx_plain);
        break;
    case 3:
        pthread_rwlock_init(&rwlock, NULL);
        break;
    case 4:
        sem_init(&semaphore, 0, 0);
        break;
    case 5:
        semaphore = (sem_t){0};
        break;
    default:
        pthread_barrier_init(&barrier, NULL, 2);
    }
}

static void enter(void)
{
    if (OBJECT <= 1)
        pthread_mutex_lock(&mutex);
    else if (OBJECT == 2)
        mtx_lock(&c11);
    else
        pthread_rwlock_wrlock(&rwlock);
}

static void leave(void)
{
    if (OBJECT <= 1)
        pthread_mutex_unlock(&mutex);
    else if (OBJECT == 2)
        mtx_unlock(&c11);
    else
        pthread_rwlock_unlock(&rwlock);
}

static void section(void)
{
    enter();
    clash |= inside;
    inside = 1;
    inside = 0;
    leave();
}

static void *other(void *arg)
{
    if (OBJECT <= 3)
        section();
    else if (OBJECT <= 5)
        sem_post(&semaphore);
    else
        pthread_barrier_wait(&barrier);
    return arg;
}

int main(void)
{
    pthread_t t;

    if (EARLY)
        make();
    pthread_create(&t, NULL, other, NULL);
    if (!EARLY)
        make();
    if (OBJECT <= 3)
        section();
    else if (OBJECT <= 5)
        sem_wait(&semaphore);
    else
        pthread_barrier_wait(&barrier);
    pthread_join(t, NULL);
    assert(!clash);
    return 0;
}
