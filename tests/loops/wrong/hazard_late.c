/* SPDX-License-Identifier: MIT */
/* A hazard pointer that is not checked again.  EXPECT use-after-free */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node {
    int v;
};
static _Atomic(struct node *) head, hp;
static void *rd(void *a)
{
    struct node *p = head;
    hp = p;
    assert(p->v == 7);
    hp = 0;
    return a;
}
int main(void)
{
    pthread_t t;
    struct node *x = malloc(sizeof *x);
    x->v = 7;
    head = x;
    pthread_create(&t, 0, rd, 0);
    struct node *y = malloc(sizeof *y);
    y->v = 7;
    struct node *old = atomic_exchange(&head, y);
    while (hp == old)
        sched_yield();
    free(old);
    pthread_join(t, 0);
    free(head);
    return 0;
}
