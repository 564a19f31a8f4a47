/* SPDX-License-Identifier: MIT */
/* A pointer is shown before what it points to.  EXPECT assertion */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) p;
static void *work(void *a)
{
    int *q = malloc(4);
    *q = 0;
    atomic_store(&p, q);
    *q = 7;
    return a;
}
int main(void)
{
    pthread_t t[1];
    for (int i = 0; i < 1; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    int *q;
    while (!(q = atomic_load(&p)))
        sched_yield();
    assert(*q == 7);
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    return 0;
}
