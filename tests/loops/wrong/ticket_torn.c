/* SPDX-License-Identifier: MIT */
/* A ticket lock whose tickets are taken in two steps.  EXPECT assertion */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static volatile unsigned next;
static atomic_uint now;
static int x;
static void *work(void *a)
{
    unsigned me = next;
    next = me + 1;
    while (atomic_load(&now) < me)
        sched_yield();
    int v = x;
    sched_yield();
    x = v + 1;
    atomic_store(&now, me + 1);
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
