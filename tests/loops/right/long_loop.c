/* SPDX-License-Identifier: MIT */
/* Loops that are long, but end by themselves.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n;
static void *work(void *a)
{
    for (int i = 0; i < 30000; i++)
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
    assert(n == 60000);
    return 0;
}
