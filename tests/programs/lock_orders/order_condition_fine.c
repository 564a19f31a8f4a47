/* SPDX-License-Identifier: MIT */
/*
 * Producers and a consumer with a lock of their own besides: the consumer waits with nothing in its
 * hands, and one thread is joined before another is signalled.
 *
 * RUN plait test -s dpor --detect +lock-order
 * EXPECT clean complete
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int turn;

static void *worker(void *arg)
{
    int mine = *(int *)arg;

    pthread_mutex_lock(&m);
    while (turn != mine)
        pthread_cond_wait(&ready, &m);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void give(int to)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&m);
    turn = to;
    pthread_cond_broadcast(&ready);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&a);
}

int main(void)
{
    pthread_t t, u;
    int one = 1, two = 2;

    pthread_create(&t, NULL, worker, &one);
    pthread_create(&u, NULL, worker, &two);
    give(1);
    pthread_join(t, NULL);
    give(2);
    pthread_join(u, NULL);
    return 0;
}
