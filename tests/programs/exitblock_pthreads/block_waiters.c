/* SPDX-License-Identifier: MIT */
/*
 * Two who wait, and two signals in one block: each of the outcomes, and none of them twice.
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
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, order;

static void *wait_for(void *number)
{
    pthread_mutex_lock(&m);
    waiting++;
    pthread_cond_wait(&c, &m);
    order = order * 10 + *(int *)number;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    static int numbers[] = {1, 2, 3};
    pthread_t t[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, wait_for, &numbers[i]);
    pthread_mutex_lock(&m);
    int all = waiting;

    pthread_cond_signal(&c);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    int then = order, now = waiting;

    order = order * 10;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    if (all < 3 || now < 3) {
        printf("%d\n", all);
        exit(0);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    printf("%d %d %d\n", all, then, order);
    return 0;
}
