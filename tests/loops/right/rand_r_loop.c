/* SPDX-License-Identifier: MIT */
/* A loop over rand_r().  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int go;
static void *work(void *a)
{
    unsigned s = 3;
    int n = 0;
    while (rand_r(&s) % 100 != 7)
        n++;
    atomic_store(&go, n + 1);
    return a;
}
int main(void)
{
    pthread_t t[1];
    for (int i = 0; i < 1; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    while (!atomic_load(&go))
        ;
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    assert(go);
    return 0;
}
