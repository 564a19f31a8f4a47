/* SPDX-License-Identifier: MIT */
/*
 * The main thread takes the locks the other way round before it creates the other one, and after
 * it has joined it.
 *
 * RUN plait test -s dpor --detect +lock-order
 * EXPECT clean complete
 * RUN -DDURING plait test -s pcb -n 1 --detect lock-order
 * EXPECT deadlock confirmed=yes threads=2
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
    pthread_t t;

    two(NULL);
    pthread_create(&t, NULL, one, NULL);
#ifdef DURING
    two(NULL);
#endif
    pthread_join(t, NULL);
    two(NULL);
    return 0;
}
