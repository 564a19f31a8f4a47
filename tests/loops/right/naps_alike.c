/* SPDX-License-Identifier: MIT */
/* Who ends the loops naps once more as it did in its own, while another looks.  EXPECT clean */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
static atomic_int stop, ready;
static void nap(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, 0);
}
static void *look(void *a)
{
    while (!stop)
        nap(1);
    return a;
}
static void *end(void *a)
{
    while (!ready)
        nap(10000);
    nap(10000);
    stop = 1;
    return a;
}
static void *begin(void *a)
{
    nap(25000);
    ready = 1;
    return a;
}
int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, look, 0);
    pthread_create(&t[1], 0, end, 0);
    pthread_create(&t[2], 0, begin, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
