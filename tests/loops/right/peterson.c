/* SPDX-License-Identifier: MIT */
/* Peterson's lock.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag[2], turn; /* not static: clang would make a local variable of the turn */
static int x;
static void *work(void *a)
{
    long i = (long)a;
    atomic_store(&flag[i], 1);
    atomic_store(&turn, 1 - i);
    while (atomic_load(&flag[1 - i]) && atomic_load(&turn) == 1 - i)
        ;
    x++;
    atomic_store(&flag[i], 0);
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
