/* SPDX-License-Identifier: MIT */
/* A lock that is tested and then set.  EXPECT assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int l;
static int x;
static void *work(void *a)
{
    while (atomic_load(&l))
        ;
    atomic_store(&l, 1);
    int v = x;
    x = v + 1;
    atomic_store(&l, 0);
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(x == 2);
    return 0;
}
