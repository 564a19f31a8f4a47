/* SPDX-License-Identifier: MIT */
/* As trylock_sleep.c, for a random time.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t a_ = PTHREAD_MUTEX_INITIALIZER, b_ = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void both(pthread_mutex_t *p, pthread_mutex_t *q, unsigned *s)
{
    for (;;) {
        pthread_mutex_lock(p);
        if (!pthread_mutex_trylock(q))
            break;
        pthread_mutex_unlock(p);
        usleep(rand_r(s) % 1000);
    }
    x++;
    pthread_mutex_unlock(q);
    pthread_mutex_unlock(p);
}
static void *work(void *a)
{
    unsigned s = (unsigned)(long)a + 1;
    if (a)
        both(&a_, &b_, &s);
    else
        both(&b_, &a_, &s);
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(x == 2);
    return 0;
}
