/* SPDX-License-Identifier: MIT */
/* A stack of indices without tags.  EXPECT assertion|livelock|hang */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int next_[3] = {1, 2, -1};
static atomic_int top = 0;
static atomic_int owner[3];
static int pop(void)
{
    int i = top;
    do {
        if (i < 0)
            return -1;
    } while (!atomic_compare_exchange_strong(&top, &i, *(volatile int *)&next_[i]));
    return i;
}
static void push(int i)
{
    int o = top;
    do
        next_[i] = o;
    while (!atomic_compare_exchange_strong(&top, &o, i));
}
static void *f(void *x)
{
    (void)x;
    int a = pop();
    if (a >= 0) {
        assert(owner[a]++ == 0);
        int b = pop();
        if (b >= 0)
            assert(owner[b]++ == 0);
        owner[a]--;
        push(a);
    }
    return 0;
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
