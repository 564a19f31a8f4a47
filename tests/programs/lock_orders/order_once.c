/* SPDX-License-Identifier: MIT */
/*
 * An initialisation takes a lock that somebody else has while it waits for the initialisation.
 *
 * RUN plait test --detect lock-order -s pcb -n 1
 * EXPECT deadlock confirmed=yes threads=2
 * RUN -DBEFORE plait test --detect +lock-order -s dpor
 * EXPECT clean complete
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void prepare(void)
{
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
}

static void nothing(void)
{
}

static void *one(void *unused)
{
    pthread_once(&once, prepare);
    return unused;
}

static void *two(void *unused)
{
#ifdef BEFORE
    pthread_once(&once, prepare);
#endif
    pthread_mutex_lock(&a);
    pthread_once(&once, nothing);
    pthread_mutex_unlock(&a);
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
