/* SPDX-License-Identifier: MIT */
/*
 * Three threads join each other in a ring.
 *
 * RUN    plait test -s random -n 100
 * EXPECT deadlock exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT deadlock exit=1
 */
#include <pthread.h>
#include <semaphore.h>

static pthread_t threads[3];
static sem_t go;

static void *worker(void *arg)
{
    pthread_t *next = arg;

    sem_wait(&go);
    pthread_join(*next, NULL);
    return NULL;
}

int main(void)
{
    sem_init(&go, 0, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, &threads[(i + 1) % 3]);
    for (int i = 0; i < 3; i++)
        sem_post(&go);
    pthread_exit(NULL);
}
