/* SPDX-License-Identifier: MIT */
/* Two threads count until a plain flag says stop, which comes late.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
static volatile int stop;
static long n[2];
static void *work(void *a)
{
    while (!stop)
        n[(long)a]++;
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (volatile int i = 0; i < 100; i++)
        ;
    stop = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(n[0] >= 0);
    return 0;
}
