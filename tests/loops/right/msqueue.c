/* SPDX-License-Identifier: MIT */
/* Michael and Scott's queue; nodes are never freed.  EXPECT clean */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct n {
    _Atomic(struct n *) next;
    int v;
};
static struct n pool[8];
static atomic_int used;
static _Atomic(struct n *) H, T;
static void enq(int v)
{
    struct n *x = &pool[used++];
    x->v = v;
    x->next = 0;
    for (;;) {
        struct n *t = T, *nx = t->next;
        if (t != T)
            continue;
        if (nx) {
            atomic_compare_exchange_strong(&T, &t, nx);
            continue;
        }
        struct n *e = 0;
        if (atomic_compare_exchange_strong(&t->next, &e, x)) {
            atomic_compare_exchange_strong(&T, &t, x);
            return;
        }
    }
}
static int deq(int *v)
{
    for (;;) {
        struct n *h = H, *t = T, *nx = h->next;
        if (h != H)
            continue;
        if (h == t) {
            if (!nx)
                return 0;
            atomic_compare_exchange_strong(&T, &t, nx);
        } else {
            *v = nx->v;
            if (atomic_compare_exchange_strong(&H, &h, nx))
                return 1;
        }
    }
}
static void *f(void *a)
{
    long i = (long)a;
    enq(i + 1);
    int v;
    while (!deq(&v))
        sched_yield();
    return (void *)(long)v;
}
int main(void)
{
    H = T = &pool[used++];
    pthread_t t[2];
    long s = 0;
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, f, (void *)i);
    for (int i = 0; i < 2; i++) {
        void *r;
        pthread_join(t[i], &r);
        s += (long)r;
    }
    assert(s == 3);
    return 0;
}
