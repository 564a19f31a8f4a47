/* SPDX-License-Identifier: MIT */
/*
 * Two polite threads: each steps back as long as the other wants to go.  When
 * both want, neither changes its mind.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT livelock exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT livelock exit=1
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];

static void go(int me)
{
    wants[me] = 1;
    while (wants[1 - me])
        ;
    wants[me] = 0;
}

static void *other(void *arg)
{
    go(1);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    go(0);
    pthread_join(t, NULL);
    return 0;
}
