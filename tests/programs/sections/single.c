/* SPDX-License-Identifier: MIT */
/*
 * Sections of one execution each: each is counted, and what the second one finds
 * in its only execution is not lost.
 *
 * RUN    plait test -s dfs -k
 * EXPECT assertion complete executions=3 failures=1 location~@bug
 *
 * RUN    plait test -s dpor
 * EXPECT assertion executions=3 failures=1 location~@bug
 */
#include <assert.h>
#include <plait.h>
#include <pthread.h>

static void *nothing(void *arg)
{
    return arg;
}

static void run(void *good)
{
    pthread_t t;

    pthread_create(&t, NULL, nothing, NULL);
    pthread_join(t, NULL);
    assert(good != NULL); /* @bug */
}

int main(void)
{
    int good = 1;

    plait_test(run, &good);
    plait_test(run, NULL);
    plait_test(run, &good);
    return 0;
}
