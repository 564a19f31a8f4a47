/* SPDX-License-Identifier: MIT */
/*
 * A thread without a cancellation point is cancelled twice: whether it has ended by then makes no
 * difference, for nobody.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=1
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=1
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t some;

static void *poster(void *arg)
{
    sem_post(&some);
    return arg;
}

int main(void)
{
    pthread_t thread;

    sem_init(&some, 0, 0);
    pthread_create(&thread, NULL, poster, NULL);
    pthread_cancel(thread);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
