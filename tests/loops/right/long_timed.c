/* SPDX-License-Identifier: MIT */
/* A long loop beside a wait with a time-out of an hour.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c_ = PTHREAD_COND_INITIALIZER;
static int n, done;
static void *work(void *a)
{
    for (int i = 0; i < 20000; i++) {
        pthread_mutex_lock(&m);
        n++;
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m);
    done = 1;
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
    while (!done) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_sec += 3600;
        pthread_cond_timedwait(&c_, &m, &t);
    }
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    assert(n == 20000);
    return 0;
}
