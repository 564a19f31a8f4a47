/* SPDX-License-Identifier: MIT */
/* Something is made twice.  EXPECT assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int done;
static int x;
static void *work(void *a)
{
    if (!atomic_load(&done)) {
        x++;
        atomic_store(&done, 1);
    }
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(x == 1);
    return 0;
}
