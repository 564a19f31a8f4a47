/* SPDX-License-Identifier: MIT */
/* Main counts its looks until all is done.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int done;
static long looks;
static void *work(void *a)
{
    for (int i = 0; i < 50; i++)
        atomic_fetch_add(&done, 1);
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    while (atomic_load(&done) < 100) {
        looks++;
        sched_yield();
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(done == 100);
    return 0;
}
