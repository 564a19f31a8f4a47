/* SPDX-License-Identifier: MIT */
/*
 * Each phase has its own writer, and a barrier between them: ordered, but by no lock,
 * so Eraser reports it.  The detector race knows better.
 *
 * RUN    plait test -s dfs -n 50 -k --detect lockset
 * EXPECT lockset
 */
#include <pthread.h>

static pthread_barrier_t barrier;
static volatile int shared;

static void *first(void *arg)
{
    shared = 1;
    pthread_barrier_wait(&barrier);
    return arg;
}

static void *second(void *arg)
{
    pthread_barrier_wait(&barrier);
    shared = 2;
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, first, NULL);
    pthread_create(&u, NULL, second, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
