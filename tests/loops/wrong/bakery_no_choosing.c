/* SPDX-License-Identifier: MIT */
/* Lamport's bakery without its doorway.  EXPECT assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
enum { N = 2 };
static atomic_int num[N];
static int x;
static void *work(void *a)
{
    long i = (long)a;
    int mx = 0;
    for (int j = 0; j < N; j++) {
        int v = atomic_load(&num[j]);
        if (v > mx)
            mx = v;
    }
    atomic_store(&num[i], mx + 1);
    for (int j = 0; j < N; j++) {
        for (;;) {
            int v = atomic_load(&num[j]);
            if (!v || v > atomic_load(&num[i]) || (v == atomic_load(&num[i]) && j >= i))
                break;
        }
    }
    int v = x;
    x = v + 1;
    atomic_store(&num[i], 0);
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
