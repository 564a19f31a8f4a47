/* SPDX-License-Identifier: MIT */
/* Two threads count in plain memory until main has slept.  EXPECT clean */
#include <pthread.h>
#include <unistd.h>
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
    usleep(100000);
    stop = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
