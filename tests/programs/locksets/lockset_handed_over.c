/* SPDX-License-Identifier: MIT */
/*
 * Made by one thread, given to another, which changes it: one owner at a time, and
 * no lock.  Eraser cannot tell that from a mistake and reports it; the detector
 * race, which follows what orders the two, has nothing to say.
 *
 * RUN    plait test -s dfs -k --detect lockset
 * EXPECT lockset complete accesses~at @made .* holding nothing; .* at @changed .* nothing
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static volatile int *slot;

static void *consumer(void *arg)
{
    pthread_mutex_lock(&lock);
    while (slot == NULL)
        pthread_cond_wait(&filled, &lock);
    volatile int *mine = slot;
    pthread_mutex_unlock(&lock);
    *mine = 2; /* @changed */
    free((void *)mine);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, consumer, NULL);
    volatile int *made = malloc(sizeof(*made));
    *made = 1; /* @made */
    pthread_mutex_lock(&lock);
    slot = made;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
