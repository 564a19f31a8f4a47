/* SPDX-License-Identifier: MIT */
/*
 * The second thread is created by a third one, which has joined the first.
 *
 * RUN plait test -s dpor --detect +lock-order
 * EXPECT clean complete
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *two(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

static pthread_t first;

static void *between(void *unused)
{
    pthread_t u;

    pthread_join(first, NULL);
    pthread_create(&u, NULL, two, NULL);
    pthread_join(u, NULL);
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&first, NULL, one, NULL);
    pthread_create(&t, NULL, between, NULL);
    pthread_join(t, NULL);
    return 0;
}
