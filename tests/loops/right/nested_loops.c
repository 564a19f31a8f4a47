/* SPDX-License-Identifier: MIT */
/* A loop within one that ends when told.  EXPECT clean */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int stop;
static int grid[8];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *a)
{
    while (!atomic_load(&stop))
        for (int i = 0; i < 8; i++) {
            pthread_mutex_lock(&m);
            grid[i]++;
            pthread_mutex_unlock(&m);
        }
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 8; i++) {
        pthread_mutex_lock(&m);
        (void)*(volatile int *)&grid[i];
        pthread_mutex_unlock(&m);
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
