/* SPDX-License-Identifier: MIT */
/* A thread ticks until told to stop.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
static atomic_int stop;
static atomic_int ticks;
static void *work(void *a)
{
    while (!atomic_load(&stop)) {
        usleep(10000);
        atomic_fetch_add(&ticks, 1);
    }
    return a;
}
int main(void)
{
    pthread_t t[1];
    for (int i = 0; i < 1; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    usleep(35000);
    atomic_store(&stop, 1);
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    assert(ticks >= 0);
    return 0;
}
