/* SPDX-License-Identifier: MIT */
/* A lock for readers and writers in one word.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int l;
static int x;
static void rd(void)
{
    for (;;) {
        int v = atomic_load(&l);
        if (v >= 0 && atomic_compare_exchange_weak(&l, &v, v + 1))
            return;
    }
}
static void wr(void)
{
    for (;;) {
        int z = 0;
        if (atomic_compare_exchange_weak(&l, &z, -1))
            return;
    }
}
static void *work(void *a)
{
    if (a) {
        wr();
        x++;
        atomic_store(&l, 0);
    } else {
        rd();
        (void)*(volatile int *)&x;
        atomic_fetch_sub(&l, 1);
    }
    return a;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(x == 2);
    return 0;
}
