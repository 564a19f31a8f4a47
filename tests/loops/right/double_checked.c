/* SPDX-License-Identifier: MIT */
/* A pointer is made by whoever needs it first.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) p;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *get(void)
{
    int *q = atomic_load(&p);
    if (!q) {
        pthread_mutex_lock(&m);
        q = atomic_load(&p);
        if (!q) {
            q = malloc(4);
            *q = 7;
            atomic_store(&p, q);
        }
        pthread_mutex_unlock(&m);
    }
    return q;
}
static void *work(void *a)
{
    for (int i = 0; i < 3; i++)
        assert(*get() == 7);
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
