/* SPDX-License-Identifier: MIT */
/*
 * A thread is joined with a lock in hand that it has yet to take.
 *
 * RUN plait test --detect lock-order -s pct -n 1 --seed 3
 * EXPECT deadlock confirmed=yes threads=2
 * RUN -DFIXED plait test --detect +lock-order -s dpor
 * EXPECT clean complete
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, one, NULL);
    pthread_mutex_lock(&a);
#ifdef FIXED
    pthread_mutex_unlock(&a);
#endif
    pthread_join(t, NULL);
#ifndef FIXED
    pthread_mutex_unlock(&a);
#endif
    return 0;
}
