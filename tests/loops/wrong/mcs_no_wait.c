/* SPDX-License-Identifier: MIT */
/* An MCS lock that does not wait for its successor's link.  EXPECT deadlock|livelock|hang */
#include <pthread.h>
#include <stdatomic.h>
struct q {
    _Atomic(struct q *) next;
    atomic_int locked;
};
static _Atomic(struct q *) tail;
static int n;
static void *f(void *a)
{
    struct q me;
    me.next = 0;
    me.locked = 1;
    struct q *p = atomic_exchange(&tail, &me);
    if (p) {
        p->next = &me;
        while (me.locked)
            ;
    }
    n++;
    struct q *s = me.next;
    if (!s) {
        struct q *e = &me;
        if (!atomic_compare_exchange_strong(&tail, &e, (struct q *)0))
            s = me.next;
    }
    if (s)
        s->locked = 0;
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, f, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
