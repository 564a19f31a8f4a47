/* SPDX-License-Identifier: MIT */
/* A stop flag is cleared by the worker when it begins.  EXPECT livelock|hang */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
static atomic_int stop;
static void *f(void *a)
{
    stop = 0;
    while (!stop)
        usleep(1000);
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    stop = 1;
    pthread_join(t, 0);
    return 0;
}
