/* SPDX-License-Identifier: MIT */
/* A spin lock is tried again and again.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
static pthread_spinlock_t l;
static int x;
static void *work(void *a)
{
    while (pthread_spin_trylock(&l))
        ;
    x++;
    pthread_spin_unlock(&l);
    return a;
}
int main(void)
{
    pthread_t t[3];
    pthread_spin_init(&l, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(x == 3);
    return 0;
}
