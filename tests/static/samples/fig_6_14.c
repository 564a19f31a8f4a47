/* SPDX-License-Identifier: MIT */
/*
 * Chen, Fig. 6.14: the pointer may be to either of two; which it is only executions tell.
 *
 * PAIRS 1 pair: 1 RW
 */
#include <pthread.h>

int x, y;
volatile int which;

static void *t1(void *arg)
{
    int *s = which ? &x : &y;

    *s = 1;
    return arg;
}

static void *t2(void *arg)
{
    y = 2;
    return arg;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, t1, NULL);
    pthread_create(&t[1], NULL, t2, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
