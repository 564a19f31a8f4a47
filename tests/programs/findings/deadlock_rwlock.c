/* SPDX-License-Identifier: MIT */
/*
 * Two read-write locks taken for writing in opposite orders.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT deadlock threads=2 exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT deadlock threads=2 exit=1
 */
#include <pthread.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;

static void *other(void *arg)
{
    pthread_rwlock_rdlock(&b);
    pthread_rwlock_wrlock(&a);
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_wrlock(&b);
    pthread_rwlock_unlock(&b);
    pthread_rwlock_unlock(&a);
    pthread_join(t, NULL);
    return 0;
}
