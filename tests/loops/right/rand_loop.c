/* SPDX-License-Identifier: MIT */
/* A loop whose only state is that of rand().  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int go;
static void *work(void *a)
{
    while (rand() % 50 != 7)
        ;
    atomic_store(&go, 1);
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
