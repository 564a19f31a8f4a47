/* SPDX-License-Identifier: MIT */
/*
 * Chen, Fig. 1.1: a division by what another thread sets to 0; the last write is to another object,
 * which only executions tell.
 *
 * OPT 0
 * PAIRS 4 pairs: 4 RW
 * PAIR RW one.val
 */
#include <pthread.h>

struct value {
    int val;
};
struct value one, two, c;
int d;

static void *t1(void *arg)
{
    static struct value *a;

    a = &one;
    a->val = 0;
    c.val = 3;
    a = &two;
    a->val = 0;
    return arg;
}

static void *t2(void *arg)
{
    one.val = 1;
    int s = one.val;
    d = s != 0 ? 3 / s : 0;
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
