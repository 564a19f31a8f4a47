/* SPDX-License-Identifier: MIT */
/*
 * sleeping barber(N): N customers, one chair to wait on.  A customer who finds it free sits down
 * and wakes the barber; the others leave.
 *
 * Described in: Dijkstra, "Cooperating sequential processes" (1965).
 *
 * BUG: the customer looks for a free chair before taking the lock, so that two sit down on one
 * KIND: bug
 * FINDS: assertion
 * SIZES: 2 3 5
 * FIXED_CLASSES: 1=1 2=10 3=234
 * PREEMPTIONS: 1
 * ORDER: @look before @sit
 */
#include "threads.h"

#include <assert.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef N
#define N 2
#endif

enum { CHAIRS = 1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t woken, next;
static atomic_int waiting;
static bool closed;

static bool sit_down(void)
{
#ifndef FIXED
    if (atomic_load(&waiting) >= CHAIRS) /* @look */
        return false;
    pthread_mutex_lock(&lock);
#else
    pthread_mutex_lock(&lock);
    if (atomic_load(&waiting) >= CHAIRS) {
        pthread_mutex_unlock(&lock);
        return false;
    }
#endif
    atomic_store(&waiting, atomic_load(&waiting) + 1); /* @sit */
    assert(atomic_load(&waiting) <= CHAIRS);
    pthread_mutex_unlock(&lock);
    return true;
}

static void *customer(void *arg)
{
    (void)arg;
    if (sit_down()) {
        sem_post(&woken);
        sem_wait(&next);
    }
    return NULL;
}

static void *barber(void *arg)
{
    (void)arg;
    for (;;) {
        sem_wait(&woken);
        pthread_mutex_lock(&lock);
        bool over = closed;

        if (!over)
            atomic_store(&waiting, atomic_load(&waiting) - 1);
        pthread_mutex_unlock(&lock);
        if (over)
            return NULL;
        sem_post(&next);
    }
}

static void *close_shop(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    closed = true;
    pthread_mutex_unlock(&lock);
    sem_post(&woken);
    return NULL;
}

int main(void)
{
    pthread_t barber_thread;

    sem_init(&woken, 0, 0);
    sem_init(&next, 0, 0);
    pthread_create(&barber_thread, NULL, barber, NULL);
    threads_start(N, customer);
    threads_join();
    close_shop(NULL);
    pthread_join(barber_thread, NULL);
    return 0;
}
