/* SPDX-License-Identifier: MIT */
/* The end of a thread is polled for.  EXPECT clean */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
static int x;
static void *work(void *a)
{
    x = 1;
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    while (pthread_tryjoin_np(t, NULL) == EBUSY)
        sched_yield();
    assert(x == 1);
    return 0;
}
