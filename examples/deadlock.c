/* SPDX-License-Identifier: MIT */
/* Two locks, taken in the one order by one thread and in the other by the other: they may deadlock.
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void lock_both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *one(void *arg)
{
    lock_both(&a, &b);
    return arg;
}

static void *other(void *arg)
{
    lock_both(&b, &a);
    return arg;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, other, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
