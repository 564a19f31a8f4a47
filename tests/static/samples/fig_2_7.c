/* SPDX-License-Identifier: MIT */
/*
 * Chen, Fig. 2.7: a write behind a branch that another thread's writes decide.
 *
 * PAIRS 3 pairs: 3 RW
 * PAIR RW a
 * PAIR RW b
 */
#include <pthread.h>

int a, s;
volatile int b;

static void *t1(void *arg)
{
    b = 1;
    s = a;
    b = -1;
    return arg;
}

static void *t2(void *arg)
{
    if (b < 0)
        a = 0;
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
