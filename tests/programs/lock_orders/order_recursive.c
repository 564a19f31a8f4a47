/* SPDX-License-Identifier: MIT */
/*
 * A lock that the thread has already is not waited for: a, b, a is no circle.  Recursive locks in
 * two orders are one.
 *
 * RUN plait test -s dpor --detect +lock-order
 * EXPECT clean complete
 * RUN -DTWO_ORDERS plait test -s random -n 1 --detect lock-order
 * EXPECT deadlock confirmed=yes threads=2
 */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t b = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *one(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *two(void *unused)
{
#ifdef TWO_ORDERS
    pthread_mutex_lock(&b);
#endif
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
#ifdef TWO_ORDERS
    pthread_mutex_unlock(&b);
#endif
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
