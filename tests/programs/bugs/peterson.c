/* SPDX-License-Identifier: MIT */
/*
 * Peterson's algorithm for two threads; correct under sequential consistency.
 * -DBROKEN=1 leaves out the turn: both may wait for each other for ever.
 * -DBROKEN=2 looks at the other's flag before setting its own: both may enter.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DBROKEN=1 plait test -s random -n 2000
 * EXPECT livelock exit=1
 *
 * RUN    -DBROKEN=1 plait test -s dfs
 * EXPECT livelock exit=1
 *
 * RUN    -DBROKEN=2 plait test -s random -n 2000
 * EXPECT assertion exit=1 message~inside location~@bug
 *
 * RUN    -DBROKEN=2 plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef BROKEN
#define BROKEN 0
#endif

static atomic_int wants[2], turn;
static volatile int inside;

static void critical_section(int me)
{
    int other = 1 - me;

    if (BROKEN == 2) {
        while (wants[other])
            ;
        wants[me] = 1;
    } else {
        wants[me] = 1;
        turn = other;
        while (wants[other] && (BROKEN == 1 || turn == other))
            ;
    }
    inside = me;
    assert(inside == me); /* @bug */
    wants[me] = 0;
}

static void *second(void *arg)
{
    critical_section(1);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, second, NULL);
    critical_section(0);
    pthread_join(t, NULL);
    return 0;
}
