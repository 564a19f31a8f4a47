/* SPDX-License-Identifier: MIT */
/* Nobody says stop to threads that look under a lock.  EXPECT livelock */
#include <pthread.h>
static int stop;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *a)
{
    for (;;) {
        pthread_mutex_lock(&m);
        int s = stop;
        pthread_mutex_unlock(&m);
        if (s)
            return a;
    }
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
