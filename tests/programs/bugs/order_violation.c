/* SPDX-License-Identifier: MIT */
/*
 * A thread uses what its creator prepares only after creating it.  With
 * -DFIXED=1 the creator prepares first.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT assertion exit=1 message~config location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DFIXED=1 plait test -s random -n 2000
 * EXPECT clean exit=0
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef FIXED
#define FIXED 0
#endif

static const int values[] = {1, 2, 3};
static const int *config;
static int sum;

static void *worker(void *arg)
{
    const int *mine = config;

    assert(mine != NULL && "config is ready"); /* @bug */
    sum = mine[0] + mine[1] + mine[2];
    return arg;
}

int main(void)
{
    pthread_t t;

    if (FIXED)
        config = values;
    pthread_create(&t, NULL, worker, NULL);
    if (!FIXED)
        config = values;
    pthread_join(t, NULL);
    assert(sum == 6);
    return 0;
}
