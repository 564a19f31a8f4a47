/* SPDX-License-Identifier: MIT */
/*
 * A thread waits for what another one has taken, until that one cancels it.  It could have come
 * first, and then the other one waits for ever: the cancellation is no cause of its being too late.
 *
 * RUN    plait test -s dpor -k
 * EXPECT deadlock complete classes=2
 *
 * RUN    plait test -s dpor:classic -k
 * EXPECT deadlock complete classes=2
 *
 * RUN    plait test -s dfs -k
 * EXPECT deadlock complete classes=2
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t one;

static void *waiter(void *arg)
{
    sem_wait(&one);
    return arg;
}

int main(void)
{
    pthread_t thread;

    sem_init(&one, 0, 1);
    pthread_create(&thread, NULL, waiter, NULL);
    sem_wait(&one);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
