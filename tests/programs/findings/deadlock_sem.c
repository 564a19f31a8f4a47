/* SPDX-License-Identifier: MIT */
/*
 * Two threads share one post.
 *
 * RUN    plait test -s random -n 100
 * EXPECT deadlock exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT deadlock exit=1
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;

static void *waiter(void *arg)
{
    sem_wait(&ready);
    return arg;
}

int main(void)
{
    pthread_t t;

    sem_init(&ready, 0, 1);
    pthread_create(&t, NULL, waiter, NULL);
    sem_wait(&ready);
    pthread_join(t, NULL);
    return 0;
}
