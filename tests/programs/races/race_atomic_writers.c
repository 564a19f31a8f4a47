/* SPDX-License-Identifier: MIT */
/*
 * Two atomic writes that nothing orders, and a plain write that is ordered after one of them
 * only: the other is not to be forgotten.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

#include <semaphore.h>
#include <stdatomic.h>

static atomic_int count;
static sem_t ready;

static void *first(void *arg)
{
    atomic_store_explicit(&count, 1, memory_order_relaxed); /* @here */
    return arg;
}

static void *second(void *arg)
{
    atomic_store_explicit(&count, 2, memory_order_relaxed);
    sem_post(&ready);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&ready, 0, 0);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    sem_wait(&ready);
    *(int *)&count = 3; /* @here */
    pthread_join(a, NULL);
    return pthread_join(b, NULL);
}
