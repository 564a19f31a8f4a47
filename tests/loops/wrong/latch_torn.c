/* SPDX-License-Identifier: MIT */
/* A latch that is counted down in two steps.  EXPECT livelock */
#include <pthread.h>
#include <sched.h>
static volatile int left = 2;
static int x;
static void *work(void *a)
{
    left = left - 1;
    while (left > 0)
        sched_yield();
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
