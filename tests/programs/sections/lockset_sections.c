/* SPDX-License-Identifier: MIT */
/*
 * Each plait_test() begins with what was known at its root: what the first one did
 * does not make the second one's memory shared.  The last one is at fault.
 *
 * RUN    plait test -s dfs --detect lockset
 * EXPECT lockset location~@bug
 *
 * RUN    plait test -s dfs -k --detect lockset
 * EXPECT lockset complete location~@bug executions=8 failures=6
 *
 * RUN    plait test -s dfs --section 2 --detect lockset
 * EXPECT clean complete
 */
#include <assert.h>
#include <plait.h>
#include <pthread.h>
#include <string.h>

static volatile int shared;

static void *write_it(void *arg)
{
    shared = 1; /* @bug */
    return arg;
}

static void one(void *arg)
{
    pthread_t t;

    (void)arg;
    pthread_create(&t, NULL, write_it, NULL);
    pthread_join(t, NULL);
}

static void two(void *arg)
{
    pthread_t t, u;

    (void)arg;
    pthread_create(&t, NULL, write_it, NULL);
    pthread_create(&u, NULL, write_it, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
}

int main(void)
{
    plait_test(one, NULL);
    plait_test(one, NULL);
    const char *found = plait_test(two, NULL);

    assert(found == NULL || strcmp(found, "lockset: shared memory that no lock protects") == 0);
    return 0;
}
