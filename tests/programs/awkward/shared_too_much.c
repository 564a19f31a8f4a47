/* SPDX-License-Identifier: MIT */
/*
 * More memory is shared than plait remembers.  A search that claims to see
 * everything must neither start over for ever nor make the claim.
 *
 * RUN    plait test -s dfs -n 6
 * EXPECT clean incomplete exit=0 executions=2
 *
 * RUN    plait test -s pcb -n 6 --restart fork
 * EXPECT clean incomplete exit=0 executions=2
 *
 * RUN    plait test -s random -n 2
 * EXPECT clean incomplete exit=0 executions=2
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { PLACES = (1 << 20) + 1000 };

static long values[PLACES];
static sem_t filled, summed;

/* It waits for main with all of it done, so there is next to nothing to choose. */
static void *fill(void *arg)
{
    for (long i = 0; i < PLACES; i++)
        values[i] = i;
    sem_post(&filled);
    sem_wait(&summed);
    return arg;
}

int main(void)
{
    pthread_t t;
    long sum = 0;

    sem_init(&filled, 0, 0);
    sem_init(&summed, 0, 0);
    pthread_create(&t, NULL, fill, NULL);
    sem_wait(&filled);
    for (long i = 0; i < PLACES; i++)
        sum += values[i];
    sem_post(&summed);
    assert(sum == (long)PLACES * (PLACES - 1) / 2);
    return pthread_join(t, NULL);
}
