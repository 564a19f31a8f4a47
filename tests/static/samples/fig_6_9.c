/* SPDX-License-Identifier: MIT */
/*
 * Chen, Fig. 6.9: an update in a loop beside one update; instances are no pairs of their own.
 *
 * PAIRS 3 pairs: 3 RW
 */
#include <pthread.h>

static volatile int x;

static void *t1(void *arg)
{
    for (int i = 0; i < 2; i++)
        x -= 10;
    return arg;
}

static void *t2(void *arg)
{
    x += 10;
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
