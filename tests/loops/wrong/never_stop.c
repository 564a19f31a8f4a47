/* SPDX-License-Identifier: MIT */
/* Nobody says stop to threads that count.  EXPECT hang|livelock */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int stop;
static atomic_long n;
static void *work(void *a)
{
    while (!atomic_load(&stop))
        atomic_fetch_add(&n, 1);
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
