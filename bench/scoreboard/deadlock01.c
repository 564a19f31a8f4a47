/* SPDX-License-Identifier: MIT */
/*
 * deadlock01: two threads take two locks in opposite order.
 *
 * Described in: SCTBench, CS.deadlock01.
 *
 * BUG: each holds the lock that the other one waits for
 * KIND: bug
 * FINDS: deadlock
 * PREEMPTIONS: 1
 * ORDER: @first_a before @second_a and @second_b before @first_b
 */
#include "threads.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int counter = 1;

static void *first(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&a); /* @first_a */
    pthread_mutex_lock(&b); /* @first_b */
    counter++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *second(void *arg)
{
    (void)arg;
#ifdef FIXED
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
#else
    pthread_mutex_lock(&b); /* @second_b */
    pthread_mutex_lock(&a); /* @second_a */
#endif
    counter--;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void)
{
    thread_start(first, 0);
    thread_start(second, 0);
    threads_join();
    return 0;
}
