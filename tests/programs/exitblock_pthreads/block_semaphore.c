/* SPDX-License-Identifier: MIT */
/*
 * A semaphore as a lock whose holder others see, and as a number that they look at.
 *
 * RUN    plait test -s dfs --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:plain --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:rw --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:dd --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock --keep-going
 * EXPECT clean complete
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t s;
static int x, tried, value;

static void *first(void *unused)
{
    (void)unused;
    sem_wait(&s);
    x++;
    sem_post(&s);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    tried = sem_trywait(&s);
    if (tried == 0) {
        x += 10;
        sem_post(&s);
    }
    sem_getvalue(&s, &value);
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;

    sem_init(&s, 0, 1);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_create(&c, NULL, first, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    printf("%d %d %d\n", x, tried, value);
    return 0;
}
