/* SPDX-License-Identifier: MIT */
/* Counts until a plain flag says stop.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
static volatile int stop;
static long n;
static void *work(void *a)
{
    while (!stop)
        n++;
    return a;
}
int main(void)
{
    pthread_t t[1];
    for (int i = 0; i < 1; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    stop = 1;
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    assert(n >= 0);
    return 0;
}
