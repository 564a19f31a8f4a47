/* SPDX-License-Identifier: MIT */
/*
 * A semaphore has no owner and is no lock for Eraser: what it protects is reported.
 * The detector race knows better.
 *
 * RUN    plait test -s dfs --detect lockset
 * EXPECT lockset
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;
static int shared;

static void *work(void *arg)
{
    sem_wait(&sem);
    shared++;
    sem_post(&sem);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    sem_init(&sem, 0, 1);
    pthread_create(&t, NULL, work, NULL);
    pthread_create(&u, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
