/* SPDX-License-Identifier: MIT */
/*
 * A mutex and an rwlock.  If the rwlock is only read, there is no circle.
 *
 * RUN -DHOW=wrlock plait test -s random -n 1 --detect lock-order
 * EXPECT deadlock confirmed=yes threads=2
 * RUN -DHOW=rdlock plait test -s dpor --detect +lock-order
 * EXPECT clean complete
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t b = PTHREAD_RWLOCK_INITIALIZER;

#define CONCAT(x, y) x##y
#define LOCK(how) CONCAT(pthread_rwlock_, how)(&b)

static void *one(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_rwlock_rdlock(&b);
    pthread_rwlock_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *two(void *unused)
{
    LOCK(HOW);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_rwlock_unlock(&b);
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
