/* SPDX-License-Identifier: MIT */
/*
 * Spinlocks in two orders, and a spinlock with a mutex.
 *
 * RUN plait test --detect lock-order -s random -n 1
 * EXPECT deadlock confirmed=yes threads=2
 * RUN -DMUTEX plait test --detect lock-order -s random -n 1
 * EXPECT deadlock confirmed=yes threads=2
 */
#include <pthread.h>

static pthread_spinlock_t a;

#ifdef MUTEX
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
#define LOCK_B pthread_mutex_lock(&b)
#define UNLOCK_B pthread_mutex_unlock(&b)
#else
static pthread_spinlock_t b;
#define LOCK_B pthread_spin_lock(&b)
#define UNLOCK_B pthread_spin_unlock(&b)
#endif

static void *one(void *unused)
{
    pthread_spin_lock(&a);
    LOCK_B;
    UNLOCK_B;
    pthread_spin_unlock(&a);
    return unused;
}

static void *two(void *unused)
{
    LOCK_B;
    pthread_spin_lock(&a);
    pthread_spin_unlock(&a);
    UNLOCK_B;
    return unused;
}

int main(void)
{
    pthread_t t, u;

    pthread_spin_init(&a, PTHREAD_PROCESS_PRIVATE);
#ifndef MUTEX
    pthread_spin_init(&b, PTHREAD_PROCESS_PRIVATE);
#endif
    pthread_create(&t, NULL, one, NULL);
    pthread_create(&u, NULL, two, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
