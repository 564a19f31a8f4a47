/* SPDX-License-Identifier: MIT */
/* Workers count by themselves and hand in what they have now and then.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int stop;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long total;
static void *work(void *a)
{
    long mine = 0;
    while (!atomic_load(&stop)) {
        mine++;
        if (mine % 16 == 0) {
            pthread_mutex_lock(&m);
            total += 16;
            pthread_mutex_unlock(&m);
        }
    }
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (;;) {
        pthread_mutex_lock(&m);
        long t_ = total;
        pthread_mutex_unlock(&m);
        if (t_ >= 64)
            break;
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(total >= 64);
    return 0;
}
