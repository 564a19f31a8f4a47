/* SPDX-License-Identifier: MIT */
/*
 * A condition variable, a semaphore or a barrier is used after it was destroyed.
 *
 * RUN    -DOBJECT=1 plait test -s random -n 1000
 * EXPECT misuse exit=1 location~@cond
 *
 * RUN    -DOBJECT=2 plait test -s random -n 1000
 * EXPECT misuse exit=1 location~@sem
 *
 * RUN    -DOBJECT=3 plait test -s random -n 1000
 * EXPECT misuse exit=1 location~@rwlock
 *
 * RUN    -DOBJECT=4 plait test -s random -n 1000
 * EXPECT misuse exit=1 location~@spin
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifndef OBJECT
#define OBJECT 1
#endif

static pthread_cond_t cond;
static sem_t sem;
static pthread_rwlock_t rwlock;
static pthread_spinlock_t spin;
static atomic_int finished;

static void *late(void *arg)
{
    if (!finished)
        return arg;
    if (OBJECT == 1)
        pthread_cond_signal(&cond); /* @cond */
    if (OBJECT == 2)
        sem_post(&sem); /* @sem */
    if (OBJECT == 3)
        pthread_rwlock_rdlock(&rwlock); /* @rwlock */
    if (OBJECT == 4)
        pthread_spin_lock(&spin); /* @spin */
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_cond_init(&cond, NULL);
    sem_init(&sem, 0, 0);
    pthread_rwlock_init(&rwlock, NULL);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, NULL, late, NULL);
    pthread_cond_destroy(&cond);
    sem_destroy(&sem);
    pthread_rwlock_destroy(&rwlock);
    pthread_spin_destroy(&spin);
    finished = 1;
    pthread_join(t, NULL);
    return 0;
}
