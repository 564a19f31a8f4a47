/* SPDX-License-Identifier: MIT */
/*
 * Two threads, two locks, two orders.  One execution is enough, and it need not be one that
 * deadlocks.
 *
 * RUN plait test --detect lock-order -s random -n 1
 * EXPECT deadlock confirmed=yes tries=4 threads=2 location~@one|@two
 * RUN plait test --detect +lock-order -s random -n 1 --seed 2
 * EXPECT deadlock confirmed=yes threads=2
 * RUN plait test --detect lock-order -s pcb -n 1 --restart fork
 * EXPECT deadlock confirmed=yes threads=2
 * RUN plait test --detect lock-order -s random -n 1 --drive 0
 * EXPECT lock-order confirmed=none threads=2 message~2 threads take locks in orders that can
 * deadlock RUN plait test -s random -n 1 EXPECT clean
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); /* @one */
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *two(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); /* @two */
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, one, NULL);
    pthread_create(&u, NULL, two, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
