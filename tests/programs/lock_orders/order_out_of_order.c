/* SPDX-License-Identifier: MIT */
/*
 * Locks are given up in the order in which they were taken: what is left in hand counts.
 *
 * RUN plait test --detect lock-order -s random -n 1
 * EXPECT deadlock confirmed=yes threads=2
 * RUN -DFIXED plait test --detect +lock-order -s dpor
 * EXPECT clean complete
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&c);
    return unused;
}

static void *two(void *unused)
{
    pthread_mutex_lock(&c);
#ifdef FIXED
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
#else
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
#endif
    pthread_mutex_unlock(&c);
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
