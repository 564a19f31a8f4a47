/* SPDX-License-Identifier: MIT */
/*
 * The simplest case: two threads write, nobody locks.  Every strategy meets it, in
 * its first execution, and says the same.
 *
 * RUN    plait test -s dfs --detect lockset
 * EXPECT lockset executions=1 accesses~^write shared at @write .* nothing; write .* nothing$
 *
 * RUN    plait test -s dpor --detect lockset
 * EXPECT lockset executions=1 accesses~^write shared at @write .* nothing; write .* nothing$
 *
 * RUN    plait test -s random --detect lockset
 * EXPECT lockset executions=1
 *
 * RUN    plait test -s pct --detect lockset
 * EXPECT lockset executions=1
 *
 * RUN    plait test -s pos --detect lockset
 * EXPECT lockset executions=1
 *
 * RUN    plait test -s surw --detect lockset
 * EXPECT lockset executions=1
 *
 * RUN    plait test -s pcb --detect lockset
 * EXPECT lockset executions=1
 *
 * RUN    plait test -s delay --detect lockset
 * EXPECT lockset executions=1
 *
 * RUN    plait test --detect lockset
 * EXPECT lockset executions=1
 *
 * RUN    plait test -s dfs -k --detect lockset --carrier thread
 * EXPECT lockset complete
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 */
#include <pthread.h>

static volatile int shared;

static void *work(void *arg)
{
    shared = 1; /* @write */
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, work, NULL);
    pthread_create(&u, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
