/* SPDX-License-Identifier: MIT */
/*
 * Memory that needs no lock: set up before threads exist, only read, a part for each thread,
 * looked at when they have been joined, handed over by a semaphore or a barrier.
 *
 * RUN    plait test -s exitblock
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:plain
 * EXPECT clean complete
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

enum { PARTS = 2 };

static int table[4], parts[PARTS], handed, met;
static sem_t s;
static pthread_barrier_t barrier;

static void *body(void *at)
{
    int *part = at;

    for (int i = 0; i < 4; i++)
        *part += table[i];
    if (part == &parts[0]) {
        handed = *part;
        sem_post(&s);
    } else {
        sem_wait(&s);
        handed++;
        met = 1;
    }
    pthread_barrier_wait(&barrier);
    if (part == &parts[0])
        met++;
    return NULL;
}

int main(void)
{
    pthread_t threads[PARTS];

    sem_init(&s, 0, 0);
    pthread_barrier_init(&barrier, NULL, PARTS);
    for (int i = 0; i < 4; i++)
        table[i] = i;
    for (int i = 0; i < PARTS; i++) {
        parts[i] = 100 * i;
        pthread_create(&threads[i], NULL, body, &parts[i]);
    }
    for (int i = 0; i < PARTS; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d %d %d\n", parts[0], parts[1], handed, met);
    return 0;
}
