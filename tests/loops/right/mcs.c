/* SPDX-License-Identifier: MIT */
/* The lock of Mellor-Crummey and Scott.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
struct node {
    _Atomic(struct node *) next;
    atomic_int wait;
};
static _Atomic(struct node *) tail;
static int x;
static void lock(struct node *me)
{
    atomic_store(&me->next, NULL);
    atomic_store(&me->wait, 1);
    struct node *p = atomic_exchange(&tail, me);
    if (p) {
        atomic_store(&p->next, me);
        while (atomic_load(&me->wait))
            ;
    }
}
static void unlock(struct node *me)
{
    struct node *e = me;
    if (!atomic_load(&me->next)) {
        if (atomic_compare_exchange_strong(&tail, &e, NULL))
            return;
        while (!atomic_load(&me->next))
            ;
    }
    atomic_store(&atomic_load(&me->next)->wait, 0);
}
static void *work(void *a)
{
    struct node me;
    lock(&me);
    x++;
    unlock(&me);
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(x == 2);
    return 0;
}
