/* SPDX-License-Identifier: MIT */
/*
 * A thread waits for a signal while it has the lock that whoever signals takes first.
 *
 * RUN plait test --detect lock-order -s random -n 1 --seed 21
 * EXPECT deadlock confirmed=yes threads=3 message~all 3 threads wait
 * RUN -DFIXED plait test -s dpor --detect +lock-order
 * EXPECT clean complete
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int go;

static void *waiter(void *unused)
{
#ifndef FIXED
    pthread_mutex_lock(&a);
#endif
    pthread_mutex_lock(&m);
    while (!go)
        pthread_cond_wait(&ready, &m);
    pthread_mutex_unlock(&m);
#ifndef FIXED
    pthread_mutex_unlock(&a);
#endif
    return unused;
}

static void *signaller(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&u, NULL, signaller, NULL);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
