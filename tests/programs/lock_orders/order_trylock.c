/* SPDX-License-Identifier: MIT */
/*
 * Whoever tries and backs off does not wait.  What it got by trying it has, and others wait for it.
 *
 * RUN plait test -s dpor --detect +lock-order
 * EXPECT clean complete
 * RUN -DHELD plait test -s pcb -n 1 --detect lock-order
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
#ifdef HELD
    if (pthread_mutex_trylock(&b) == 0) {
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
    }
#else
    pthread_mutex_lock(&b);
    if (pthread_mutex_trylock(&a) == 0)
        pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
#endif
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
