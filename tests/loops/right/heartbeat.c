/* SPDX-License-Identifier: MIT */
/* Main looks at a counter now and then.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
static atomic_int beats;
static void *work(void *a)
{
    for (int i = 0; i < 5; i++) {
        usleep(1000);
        atomic_fetch_add(&beats, 1);
    }
    return a;
}
int main(void)
{
    pthread_t t[1];
    for (int i = 0; i < 1; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    while (atomic_load(&beats) < 5)
        usleep(300);
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    assert(beats == 5);
    return 0;
}
