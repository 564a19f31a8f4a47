/* SPDX-License-Identifier: MIT */
/*
 * Two variables, two reports, from one execution; and an assertion on top of that.
 * Each has a schedule of its own, and all of them replay.
 *
 * RUN    plait test -s dfs --detect +lockset
 * EXPECT lockset,lockset,assertion executions=1
 *
 * RUN    plait test -s dfs -k --detect +lockset -j 2
 * EXPECT lockset,lockset,assertion
 *
 * RUN    plait test -s dfs --detect lockset --no-minimize
 * EXPECT lockset,lockset,assertion executions=1
 */
#include <assert.h>
#include <pthread.h>

static volatile int one, other;

static void *work(void *arg)
{
    one = 1;
    other = 1;
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, work, NULL);
    pthread_create(&u, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(one == 2);
    return 0;
}
