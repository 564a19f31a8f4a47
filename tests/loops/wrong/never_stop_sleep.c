/* SPDX-License-Identifier: MIT */
/* Nobody says stop to a thread that sleeps.  EXPECT livelock */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
static atomic_int stop;
static int n;
static void *work(void *a)
{
    while (!atomic_load(&stop))
        usleep(1000);
    return a;
}
int main(void)
{
    pthread_t t[1];
    for (int i = 0; i < 1; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    return 0;
}
