/* SPDX-License-Identifier: MIT */
/* Additions in two steps.  EXPECT assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *work(void *a)
{
    for (int k = 0; k < 2; k++)
        atomic_store(&x, atomic_load(&x) + 1);
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(x == 4);
    return 0;
}
