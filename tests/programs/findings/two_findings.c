/* SPDX-License-Identifier: MIT */
/*
 * Two different bugs in one program: with --keep-going both are found, each
 * once, however many executions show it.
 *
 * RUN    plait test -s random -n 500 -k
 * EXPECT assertion,assertion exit=1
 *
 * RUN    plait test -s dfs -k
 * EXPECT assertion,assertion complete exit=1
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static void *other(void *arg)
{
    value = 1;
    value = 2;
    return arg;
}

int main(void)
{
    pthread_t t;
    int seen;

    pthread_create(&t, NULL, other, NULL);
    seen = value;
    assert(seen != 1);
    assert(seen != 2);
    pthread_join(t, NULL);
    return 0;
}
