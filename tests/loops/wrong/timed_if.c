/* SPDX-License-Identifier: MIT */
/* A time-out is taken for what was waited for.  EXPECT assertion */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c_ = PTHREAD_COND_INITIALIZER;
static int ready;
static void *work(void *a)
{
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c_);
    pthread_mutex_unlock(&m);
    return a;
}
int main(void)
{
    pthread_t t[1];
    for (int i = 0; i < 1; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    pthread_mutex_lock(&m);
    if (!ready) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec += 1000;
        pthread_cond_timedwait(&c_, &m, &t);
    }
    assert(ready);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    return 0;
}
