/* SPDX-License-Identifier: MIT */
/*
 * A thread's stack begins anew with each thread, although the memory has been used
 * by another before.
 *
 * RUN    plait test -s dfs --detect lockset
 * EXPECT clean complete
 */
#include <pthread.h>

static void set(volatile int *to)
{
    *to = *to + 1;
}

static void *work(void *arg)
{
    volatile int local[4] = {0, 0, 0, 0};

    set(&local[1]);
    return local[1] == 1 ? arg : NULL;
}

int main(void)
{
    pthread_t t;

    for (int i = 0; i < 3; i++) {
        pthread_create(&t, NULL, work, NULL);
        pthread_join(t, NULL);
    }
    return 0;
}
