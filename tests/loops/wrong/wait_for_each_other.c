/* SPDX-License-Identifier: MIT */
/* Each waits for the other to begin, and looks again ten times a second.  EXPECT livelock */
#include <pthread.h>
#include <stdbool.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static bool begun[2];
static void *work(void *a)
{
    long i = (long)a;
    pthread_mutex_lock(&m);
    while (!begun[1 - i]) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec += 100000000;
        if (t.tv_nsec >= 1000000000) {
            t.tv_nsec -= 1000000000;
            t.tv_sec++;
        }
        pthread_cond_timedwait(&c, &m, &t);
    }
    begun[i] = true;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
