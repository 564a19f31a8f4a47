/* SPDX-License-Identifier: MIT */
/* Works until a deadline.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
static atomic_int ok;
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}
static void *work(void *a)
{
    double end = now() + 0.5;
    long n = 0;
    while (now() < end)
        n++;
    atomic_fetch_add(&ok, n >= 0);
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(ok == 2);
    return 0;
}
