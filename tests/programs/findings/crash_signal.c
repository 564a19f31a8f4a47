/* SPDX-License-Identifier: MIT */
/*
 * The program kills itself with a signal in one interleaving; a stack overflow
 * in another thread with -DOVERFLOW=1.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT crash exit=1 message~SIGTERM
 *
 * RUN    plait test -s dfs
 * EXPECT crash exit=1
 *
 * RUN    -DOVERFLOW=1 -Wno-infinite-recursion plait test -s random -n 1000
 * EXPECT crash exit=1
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int broken;

static int recurse(volatile char *above)
{
    volatile char here[256];

    here[0] = above[0];
    return above == here ? 0 : recurse(here) + here[0];
}

static void *other(void *arg)
{
    volatile char start = 1;

    if (!broken)
        return arg;
#ifdef OVERFLOW
    return (void *)(long)recurse(&start);
#else
    raise(SIGTERM);
    return start ? NULL : (void *)(long)recurse(&start);
#endif
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    broken = 1;
    pthread_join(t, NULL);
    return 0;
}
