/* SPDX-License-Identifier: MIT */
/* liburcu: a reader, and an update that waits for it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <urcu/urcu-memb.h>
struct node {
    int value;
};
static struct node *now;
static void *reader(void *x)
{
    urcu_memb_register_thread();
    urcu_memb_read_lock();
    struct node *n = rcu_dereference(now);
    assert(n->value == 1 || n->value == 2);
    urcu_memb_read_unlock();
    urcu_memb_unregister_thread();
    return x;
}
int main(void)
{
    pthread_t t;
    struct node *old = malloc(sizeof *old), *fresh = malloc(sizeof *fresh);
    old->value = 1;
    fresh->value = 2;
    now = old;
    pthread_create(&t, NULL, reader, NULL);
    rcu_assign_pointer(now, fresh);
    urcu_memb_synchronize_rcu();
    free(old);
    pthread_join(t, NULL);
    free(fresh);
    return 0;
}
