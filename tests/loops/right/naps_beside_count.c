/* SPDX-License-Identifier: MIT */
/* One thread counts in memory that nobody else has touched yet while main takes naps.  EXPECT clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
static atomic_int stop;
static volatile long n;
static void *work(void *a)
{
    while (!stop)
        n++;
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    for (int i = 0; i < 6; i++) {
        struct timespec nap = {0, 5000000};
        nanosleep(&nap, 0);
    }
    stop = 1;
    pthread_join(t, 0);
    assert(n >= 0);
    return 0;
}
