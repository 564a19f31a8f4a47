/* SPDX-License-Identifier: MIT */
/*
 * bounded buffer: two producers, two consumers, two places.  A consumer waits until there is
 * something, leaves the monitor, enters it again and takes what it believes to be there.
 *
 * Described in: the benchmarks of Inspect (Yang, Chen, Gopalakrishnan, Kirby, "Distributed dynamic
 * partial order reduction based verification of threaded software", SPIN 2007), boundedBuffer.
 *
 * BUG: the other consumer takes the last element while the first one is outside
 * KIND: bug
 * FINDS: assertion
 * PREEMPTIONS: 1
 * ORDER: @outside before @taken and @taken before @back
 */
#include "threads.h"

#include <assert.h>

enum { EACH = 4, PLACES = 2, PRODUCERS = 2, CONSUMERS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[PLACES], n, first;

static void put(int element)
{
    pthread_mutex_lock(&lock);
    while (n == PLACES)
        pthread_cond_wait(&not_full, &lock);
    buffer[(first + n) % PLACES] = element;
    n++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int get(void)
{
    pthread_mutex_lock(&lock);
    while (n == 0)
        pthread_cond_wait(&not_empty, &lock);
#ifndef FIXED
    pthread_mutex_unlock(&lock); /* @outside */
    pthread_mutex_lock(&lock);   /* @back */
#endif
    assert(n > 0);
    int element = buffer[first];

    first = (first + 1) % PLACES;
    n--; /* @taken */
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return element;
}

static void *producer(void *arg)
{
    for (int i = 0; i < EACH; i++)
        put(thread_number(arg));
    return NULL;
}

static void *consumer(void *arg)
{
    (void)arg;
    for (int i = 0; i < EACH; i++)
        (void)get();
    return NULL;
}

int main(void)
{
    threads_start(PRODUCERS, producer);
    threads_start(CONSUMERS, consumer);
    threads_join();
    return 0;
}
