/* SPDX-License-Identifier: MIT */
/* Each waits for the other to begin, and gives up after four hours.  EXPECT clean */
#include <pthread.h>
#include <stdbool.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static bool begun[2];
static void *work(void *a)
{
    long i = (long)a;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time_t end = now.tv_sec + 14400;
    pthread_mutex_lock(&m);
    while (!begun[1 - i] && now.tv_sec < end) {
        struct timespec t = now;
        t.tv_sec += i != 0 ? 13 : 1;
        pthread_cond_timedwait(&c, &m, &t);
        clock_gettime(CLOCK_REALTIME, &now);
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
