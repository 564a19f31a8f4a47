/* SPDX-License-Identifier: MIT */
/* A ticket lock that yields.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_uint next, now;
static int x;
static void *work(void *a)
{
    unsigned me = atomic_fetch_add(&next, 1);
    while (atomic_load(&now) != me)
        sched_yield();
    x++;
    atomic_store(&now, me + 1);
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
