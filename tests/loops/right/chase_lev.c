/* SPDX-License-Identifier: MIT */
/* Chase and Lev's deque, one owner and one thief.  EXPECT clean */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_long top, bottom;
static atomic_int item[8];
static atomic_int taken[4];
static int take(void)
{
    long b = bottom - 1;
    bottom = b;
    long t = top;
    if (t > b) {
        bottom = b + 1;
        return -1;
    }
    int x = item[b & 7];
    if (t == b) {
        if (!atomic_compare_exchange_strong(&top, &t, t + 1))
            x = -1;
        bottom = b + 1;
    }
    return x;
}
static int steal(void)
{
    long t = top, b = bottom;
    if (t >= b)
        return -1;
    int x = item[t & 7];
    return atomic_compare_exchange_strong(&top, &t, t + 1) ? x : -2;
}
static atomic_int n;
static void *thief(void *a)
{
    while (n < 3) {
        int x = steal();
        if (x >= 0) {
            taken[x]++;
            n++;
        } else
            sched_yield();
    }
    return a;
}
int main(void)
{
    for (int i = 0; i < 3; i++) {
        item[i] = i;
        bottom = i + 1;
    }
    pthread_t t;
    pthread_create(&t, 0, thief, 0);
    int x;
    while ((x = take()) >= 0) {
        taken[x]++;
        n++;
    }
    while (n < 3)
        sched_yield();
    pthread_join(t, 0);
    for (int i = 0; i < 3; i++)
        assert(taken[i] == 1);
    return 0;
}
