/* SPDX-License-Identifier: MIT */
/* Work stealing from a locked deque until all is done.  EXPECT clean */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int q[2] = {3, 0};
static atomic_int left = 3;
static void *f(void *a)
{
    int i = (int)(long)a;
    while (left) {
        int o = 0;
        pthread_mutex_lock(&m[i]);
        if (q[i]) {
            q[i]--;
            o = 1;
        }
        pthread_mutex_unlock(&m[i]);
        if (!o && !pthread_mutex_trylock(&m[!i])) {
            if (q[!i] > 1) {
                q[!i]--;
                o = 1;
            }
            pthread_mutex_unlock(&m[!i]);
        }
        if (o)
            left--;
        else
            sched_yield();
    }
    return 0;
}
int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, f, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(!left);
    return 0;
}
