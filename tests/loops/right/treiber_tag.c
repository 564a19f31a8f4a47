/* SPDX-License-Identifier: MIT */
/* A stack with tagged pointers, in a table.  EXPECT clean */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
static struct {
    int next;
} node[4];
static _Atomic uint64_t top = 0xffffffff;
static atomic_int got;
static void push(int i)
{
    uint64_t o = top;
    do
        node[i].next = (int)(uint32_t)o;
    while (!atomic_compare_exchange_weak(&top, &o, ((o >> 32) + 1) << 32 | (uint32_t)i));
}
static int pop(void)
{
    uint64_t o = top;
    int i;
    do {
        i = (int)(uint32_t)o;
        if (i == -1)
            return -1;
    } while (
        !atomic_compare_exchange_weak(&top, &o, ((o >> 32) + 1) << 32 | (uint32_t)node[i].next));
    return i;
}
static void *f(void *a)
{
    long b = (long)a * 2;
    push(b);
    push(b + 1);
    for (int k = 0; k < 2; k++)
        while (pop() < 0)
            sched_yield();
    got += 2;
    return 0;
}
int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, f, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(got == 4 && pop() == -1);
    return 0;
}
