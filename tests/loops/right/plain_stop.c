/* SPDX-License-Identifier: MIT */
/* Counts until a flag says stop that is read under a mutex, in a function of its own.  EXPECT clean
 */
#include <assert.h>
#include <pthread.h>
static int stop;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long n;
static int told(void)
{
    pthread_mutex_lock(&m);
    int s = stop;
    pthread_mutex_unlock(&m);
    return s;
}
static void *work(void *a)
{
    while (!told())
        n++;
    return a;
}
int main(void)
{
    pthread_t t[1];
    for (int i = 0; i < 1; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    pthread_mutex_lock(&m);
    stop = 1;
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    assert(n >= 0);
    return 0;
}
