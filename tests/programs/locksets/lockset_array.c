/* SPDX-License-Identifier: MIT */
/*
 * Elements of an array that are all used at the same two places are one mistake, and
 * so one report in an execution, however many there are.
 *
 * RUN    plait test -s random -n 1 --detect lockset
 * EXPECT lockset accesses~^write cells(.0.)? at @store .* nothing; write cells(.0.)? at @store
 */
#include <pthread.h>

static volatile int cells[500];

__attribute__((noinline)) static void store(int i)
{
    cells[i] = i; /* @store */
}

static void *work(void *arg)
{
    for (int i = 0; i < 500; i++)
        store(i);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_create(&u, NULL, work, NULL);
    pthread_join(u, NULL);
    return 0;
}
