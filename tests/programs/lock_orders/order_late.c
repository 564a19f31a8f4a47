/* SPDX-License-Identifier: MIT */
/*
 * The place is passed many times before the locks are taken the other way round there.
 *
 * RUN plait test --detect lock-order -s random -n 1
 * EXPECT deadlock confirmed=yes threads=2
 */
#include <pthread.h>

enum { ROUNDS = 6 };

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *one(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        both(&a, i == ROUNDS - 1 ? &b : &c);
    return unused;
}

static void *two(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        both(i == ROUNDS - 2 ? &b : &c, i == ROUNDS - 2 ? &a : &b);
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
