/* SPDX-License-Identifier: MIT */
/* A condition is waited for with a time-out, again and again.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c_ = PTHREAD_COND_INITIALIZER;
static int ready, polls;
static void *work(void *a)
{
    usleep(5000);
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
    while (!ready) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_sec++;
        pthread_cond_timedwait(&c_, &m, &t);
        polls++;
    }
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    assert(polls >= 0);
    return 0;
}
