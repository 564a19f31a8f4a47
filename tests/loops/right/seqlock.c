/* SPDX-License-Identifier: MIT */
/* A reader repeats until nobody has written meanwhile.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint seq;
static atomic_int a1, b1;
static void *work(void *a)
{
    for (int i = 1; i < 3; i++) {
        atomic_fetch_add(&seq, 1);
        atomic_store(&a1, i);
        atomic_store(&b1, i);
        atomic_fetch_add(&seq, 1);
    }
    return a;
}
int main(void)
{
    pthread_t t[1];
    for (int i = 0; i < 1; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    unsigned s;
    int u, v;
    do {
        s = atomic_load(&seq);
        u = atomic_load(&a1);
        v = atomic_load(&b1);
    } while ((s & 1) || s != atomic_load(&seq));
    assert(u == v);
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    return 0;
}
