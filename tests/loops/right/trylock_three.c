/* SPDX-License-Identifier: MIT */
/* Three threads and three locks in a ring, with trylock.  EXPECT clean */
#include <pthread.h>
static pthread_mutex_t m[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                               PTHREAD_MUTEX_INITIALIZER};
static int x;
static void *work(void *a)
{
    long i = (long)a;
    for (;;) {
        pthread_mutex_lock(&m[i]);
        if (!pthread_mutex_trylock(&m[(i + 1) % 3]))
            break;
        pthread_mutex_unlock(&m[i]);
    }
    x += 0;
    pthread_mutex_unlock(&m[(i + 1) % 3]);
    pthread_mutex_unlock(&m[i]);
    return a;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
