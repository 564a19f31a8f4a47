/* SPDX-License-Identifier: MIT */
/* Two locks in two orders; who does not get the second one in time begins again.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
static pthread_mutex_t a_ = PTHREAD_MUTEX_INITIALIZER, b_ = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void both(pthread_mutex_t *p, pthread_mutex_t *q)
{
    for (;;) {
        pthread_mutex_lock(p);
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec += 1000000;
        if (t.tv_nsec >= 1000000000) {
            t.tv_sec++;
            t.tv_nsec -= 1000000000;
        }
        if (!pthread_mutex_timedlock(q, &t))
            break;
        pthread_mutex_unlock(p);
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
