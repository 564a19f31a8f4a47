/* SPDX-License-Identifier: MIT */
/*
 * Two waits have the same end. Whoever comes to the second one when the first is over lets no time
 * pass any more, but that is no class of its own.
 *
 * RUN    plait test -s dpor --time-outs any
 * EXPECT clean complete classes=8 executions=9
 *
 * RUN    plait test -s dfs --time-outs any
 * EXPECT clean complete classes=8
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static const struct timespec end = {.tv_sec = 2400000000};
static sem_t given;

static void *looks(void *arg)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    sem_wait(&given);
    if (pthread_mutex_timedlock(&mutex, &end) == 0)
        pthread_mutex_unlock(&mutex);
    return now.tv_sec > 0 ? arg : NULL;
}

int main(void)
{
    pthread_t thread;

    sem_init(&given, 0, 1);
    pthread_create(&thread, NULL, looks, NULL);
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&condition, &mutex, &end);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
