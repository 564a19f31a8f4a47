/* SPDX-License-Identifier: MIT */
/* The lock of Craig, Landin and Hagersten.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
struct n {
    atomic_int busy;
};
static struct n first;
static _Atomic(struct n *) tail = &first;
static int x;
static struct n nodes[3];
static void *work(void *a)
{
    struct n *me = &nodes[(long)a];
    atomic_store(&me->busy, 1);
    struct n *p = atomic_exchange(&tail, me);
    while (atomic_load(&p->busy))
        ;
    x++;
    atomic_store(&me->busy, 0);
    return a;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(x == 3);
    return 0;
}
