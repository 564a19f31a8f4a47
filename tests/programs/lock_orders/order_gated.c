/* SPDX-License-Identifier: MIT */
/*
 * Both orders are behind the same gate lock.
 *
 * RUN plait test -s dpor --detect +lock-order
 * EXPECT clean complete
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

#define ENTER_ONE pthread_mutex_lock(&gate)
#define ENTER_TWO pthread_mutex_lock(&gate)
#define LEAVE pthread_mutex_unlock(&gate)

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
