/* SPDX-License-Identifier: MIT */
/* A lock by compare-exchange that counts its failures.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
static atomic_int l;
static int x;
static long spins[2];
static void *work(void *a)
{
    for (int k = 0; k < 2; k++) {
        int z = 0;
        while (!atomic_compare_exchange_strong(&l, &z, 1)) {
            z = 0;
            spins[(long)a]++;
            __builtin_ia32_pause();
        }
        x++;
        atomic_store(&l, 0);
    }
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
