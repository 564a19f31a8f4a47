/* SPDX-License-Identifier: MIT */
/* Naps of seven lengths, again and again, until told to stop.  EXPECT clean */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
static atomic_int flag;
static void nap(long us)
{
    struct timespec t = {0, us * 1000};
    nanosleep(&t, NULL);
}
static void *work(void *a)
{
    long us = 1;
    while (!atomic_load(&flag)) {
        nap(us);
        us = us < 64 ? us * 2 : 1;
    }
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    nap(20000);
    atomic_store(&flag, 1);
    pthread_join(t, NULL);
    return 0;
}
