/* SPDX-License-Identifier: MIT */
/* Two threads hand a turn to each other for ever.  EXPECT hang|livelock */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn;
static void *work(void *a)
{
    long i = (long)a;
    while (atomic_load(&turn) != 9) {
        if (atomic_load(&turn) == i)
            atomic_store(&turn, (int)(1 - i));
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
    return 0;
}
