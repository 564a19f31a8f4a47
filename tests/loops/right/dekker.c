/* SPDX-License-Identifier: MIT */
/* Dekker's lock.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int want[2], turn;
static int x;
static void *work(void *a)
{
    long i = (long)a;
    atomic_store(&want[i], 1);
    while (atomic_load(&want[1 - i])) {
        if (atomic_load(&turn) != i) {
            atomic_store(&want[i], 0);
            while (atomic_load(&turn) != i)
                ;
            atomic_store(&want[i], 1);
        }
    }
    x++;
    atomic_store(&turn, 1 - i);
    atomic_store(&want[i], 0);
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(x == 2);
    return 0;
}
