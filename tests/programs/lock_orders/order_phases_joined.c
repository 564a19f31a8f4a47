/* SPDX-License-Identifier: MIT */
/*
 * The orders differ, but the first thread is over before the second one begins.
 *
 * RUN plait test -s dpor --detect +lock-order
 * EXPECT clean complete
 * RUN -DTOGETHER plait test -s random -n 1 --detect lock-order
 * EXPECT deadlock confirmed=yes
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

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, one, NULL);
#ifndef TOGETHER
    pthread_join(t, NULL);
#endif
    pthread_create(&u, NULL, two, NULL);
#ifdef TOGETHER
    pthread_join(t, NULL);
#endif
    pthread_join(u, NULL);
    return 0;
}
