/* SPDX-License-Identifier: MIT */
/*
 * A gate that both only read lets both in: it is none.  If one of them writes, it is one.
 *
 * RUN -DONE=rdlock -DTWO=rdlock plait test -s random -n 1 --detect lock-order
 * EXPECT deadlock confirmed=yes threads=2
 * RUN -DONE=rdlock -DTWO=wrlock plait test -s dpor --detect +lock-order
 * EXPECT clean complete
 * RUN -DONE=wrlock -DTWO=wrlock plait test -s dpor --detect +lock-order
 * EXPECT clean complete
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;

#define CONCAT(x, y) x##y
#define LOCK(how) CONCAT(pthread_rwlock_, how)(&gate)
#define ENTER_ONE LOCK(ONE)
#define ENTER_TWO LOCK(TWO)
#define LEAVE pthread_rwlock_unlock(&gate)

static void *one(void *unused)
{
    ENTER_ONE;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    LEAVE;
    return unused;
}

static void *two(void *unused)
{
    ENTER_TWO;
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    LEAVE;
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
