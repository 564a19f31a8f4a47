/* SPDX-License-Identifier: MIT */
/*
 * Two lines are printed in either order, and only one is expected.  With
 * -DFIXED=1 the join comes first.
 *
 * OUTPUT first
 * OUTPUT second
 *
 * RUN    plait test -s random -n 200 --expect-output=%t/expected
 * EXPECT output exit=1
 *
 * RUN    plait test -s dfs --expect-output=%t/expected
 * EXPECT output exit=1
 *
 * RUN    plait test -s dfs --check='head -1 | grep -q first'
 * EXPECT output exit=1
 *
 * RUN    -DFIXED=1 plait test -s dfs --expect-output=%t/expected
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 plait test -s dfs --check='head -1 | grep -q first'
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 native
 * EXPECT exit=0
 */
#include <pthread.h>
#include <stdio.h>

#ifndef FIXED
#define FIXED 0
#endif

static void *other(void *arg)
{
    puts("first");
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    if (FIXED)
        pthread_join(t, NULL);
    puts("second");
    if (!FIXED)
        pthread_join(t, NULL);
    return 0;
}
