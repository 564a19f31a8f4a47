/* SPDX-License-Identifier: MIT */
/* Two threads count until main has slept for a second.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
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
    sleep(1);
    atomic_store(&stop, 1);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(n >= 0);
    return 0;
}
