/* SPDX-License-Identifier: MIT */
/* Readers report quiescent states; the writer waits for each.  EXPECT clean */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) p;
static atomic_long seen[2];
static atomic_long epoch = 1;
static atomic_int off[2];
static void *rd(void *a)
{
    long i = (long)a;
    for (int k = 0; k < 2; k++) {
        int *q = p;
        assert(*q > 0);
        seen[i] = epoch;
    }
    off[i] = 1;
    return 0;
}
int main(void)
{
    pthread_t t[2];
    int *x = malloc(sizeof(int));
    *x = 1;
    p = x;
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, rd, (void *)i);
    int *y = malloc(sizeof(int));
    *y = 2;
    p = y;
    long e = ++epoch;
    for (int i = 0; i < 2; i++)
        while (!off[i] && seen[i] < e)
            sched_yield();
    *x = -1;
    free(x);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    free(y);
    return 0;
}
