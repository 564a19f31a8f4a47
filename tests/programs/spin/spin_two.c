/* SPDX-License-Identifier: MIT */
/*
 * Two threads wait for each other's step in turn, each in a bare loop.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int step;

static void turn(int mine)
{
    while (step != mine)
        ;
    step = mine + 1;
}

static void *other(void *arg)
{
    turn(1);
    turn(3);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    turn(0);
    turn(2);
    pthread_join(t, NULL);
    assert(step == 4);
    return 0;
}
