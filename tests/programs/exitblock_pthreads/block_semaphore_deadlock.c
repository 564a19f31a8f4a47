/* SPDX-License-Identifier: MIT */
/*
 * A semaphore and a mutex that are taken in different orders: no lock exit lies between, and yet it
 * must be found.
 *
 * RUN    plait test -s dfs --keep-going
 * EXPECT deadlock complete
 *
 * RUN    plait test -s exitblock:plain --keep-going
 * EXPECT deadlock complete
 *
 * RUN    plait test -s exitblock:rw --keep-going
 * EXPECT deadlock complete
 *
 * RUN    plait test -s exitblock:dd --keep-going
 * EXPECT deadlock complete
 *
 * RUN    plait test -s exitblock --keep-going
 * EXPECT deadlock complete
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;

static void *first(void *unused)
{
    (void)unused;
    sem_wait(&s);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    sem_post(&s);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    sem_wait(&s);
    sem_post(&s);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&s, 0, 1);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
