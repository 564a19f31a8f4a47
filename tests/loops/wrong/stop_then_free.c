/* SPDX-License-Identifier: MIT */
/* Memory is freed as soon as its user is told to stop.  EXPECT use-after-free */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int stop;
static int *buf;
static pthread_t t0;
static void *work(void *a)
{
    while (!atomic_load(&stop))
        buf[0]++;
    return a;
}
int main(void)
{
    buf = calloc(1, 4);
    pthread_create(&t0, 0, work, 0);
    atomic_store(&stop, 1);
    free(buf);
    pthread_join(t0, 0);
    return 0;
}
