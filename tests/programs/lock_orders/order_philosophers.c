/* SPDX-License-Identifier: MIT */
/*
 * Each takes the fork on its left, then the one on its right.
 *
 * RUN -DN=3 plait test --detect lock-order -s pcb -n 1
 * EXPECT deadlock confirmed=yes threads=3
 * RUN -DN=4 plait test --detect lock-order -s random -n 1
 * EXPECT deadlock confirmed=yes threads=4
 * RUN -DN=5 plait test --detect lock-order -s random -n 1
 * EXPECT deadlock confirmed=yes threads=5
 * RUN -DN=8 plait test --detect lock-order -s pcb -n 1
 * EXPECT deadlock confirmed=yes threads=8
 * RUN -DN=3 -DFIXED plait test --detect +lock-order -s dpor
 * EXPECT clean complete
 */
#include <pthread.h>

static pthread_mutex_t forks[N];

static void *dine(void *arg)
{
    long i = (long)arg, left = i, right = (i + 1) % N;

#ifdef FIXED
    if (left > right) {
        left = right;
        right = i;
    }
#endif
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], NULL, dine, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
