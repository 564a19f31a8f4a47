/* SPDX-License-Identifier: MIT */
/* Who is told to stop leaves work undone.  EXPECT assertion */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c_ = PTHREAD_COND_INITIALIZER;
static int stop, done, queue;
static void *work(void *a)
{
    pthread_mutex_lock(&m);
    while (!stop) {
        if (queue) {
            queue--;
            done++;
            continue;
        }
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_sec++;
        pthread_cond_timedwait(&c_, &m, &t);
    }
    pthread_mutex_unlock(&m);
    return a;
}
int main(void)
{
    pthread_t t[1];
    for (int i = 0; i < 1; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        queue++;
        pthread_cond_signal(&c_);
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m);
    stop = 1;
    pthread_cond_broadcast(&c_);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    assert(done == 2);
    return 0;
}
