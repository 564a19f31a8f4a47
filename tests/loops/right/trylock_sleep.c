/* SPDX-License-Identifier: MIT */
/* Two locks in two orders; who does not get the second one gives the first one back and sleeps.
 * EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t a_ = PTHREAD_MUTEX_INITIALIZER, b_ = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void both(pthread_mutex_t *p, pthread_mutex_t *q)
{
    for (;;) {
        pthread_mutex_lock(p);
        if (!pthread_mutex_trylock(q))
            break;
        pthread_mutex_unlock(p);
        usleep(1000);
    }
    x++;
    pthread_mutex_unlock(q);
    pthread_mutex_unlock(p);
}
static void *work(void *a)
{
    if (a)
        both(&a_, &b_);
    else
        both(&b_, &a_);
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
