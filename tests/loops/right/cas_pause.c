/* SPDX-License-Identifier: MIT */
/* Additions by compare-exchange, with pauses.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *work(void *a)
{
    for (int k = 0; k < 3; k++) {
        int o = atomic_load(&x);
        while (!atomic_compare_exchange_weak(&x, &o, o + 1))
            __builtin_ia32_pause();
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
    assert(x == 9);
    return 0;
}
