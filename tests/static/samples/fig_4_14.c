/* SPDX-License-Identifier: MIT */
/*
 * Chen, Fig. 4.14: each thread has an object of its own from one allocation: no pair.
 *
 * PAIRS 0 pairs
 * WHY 18 18 private
 */
#include <pthread.h>
#include <stdlib.h>

struct node {
    int val;
};

/* Not inlined, so that there is one allocation. */
__attribute__((noinline)) static void use(struct node *n)
{
    n->val++;
}

static void *t1(void *arg)
{
    struct node *n = malloc(sizeof(*n));

    n->val = 0;
    use(n);
    free(n);
    return arg;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, t1, NULL);
    pthread_create(&t[1], NULL, t1, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
