/* SPDX-License-Identifier: MIT */
/*
 * Fails only in the order third, first, second, for which two threads are put off at a time: who is
 * put off must be a set.
 *
 * RUN    [exitblock] plait test -s exitblock:plain -k
 * EXPECT assertion complete location~@bug paths=6 finished=6
 *
 * RUN    [exitblock] plait test -s exitblock:rw -k
 * EXPECT assertion complete location~@bug
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT assertion complete location~@bug paths=6 finished=6
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT assertion complete location~@bug
 *
 * RUN    [exitblock] plait test -s exitblock:rwdd,order=newest -k
 * EXPECT assertion complete location~@bug
 *
 * RUN    [exitblock] plait test -s exitblock:rwdd,order=random -k
 * EXPECT assertion complete location~@bug
 *
 * RUN    plait test -s dpor -k
 * EXPECT assertion complete
 */
#include "begin.h"

#include <assert.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *first(void *arg)
{
    pthread_mutex_lock(&m);
    if (x == 1)
        x = 2;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&m);
    assert(x != 2); /* @bug */
    pthread_mutex_unlock(&m);
    return arg;
}

static void *third(void *arg)
{
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    RUN_ALL(first, second, third);
    return 0;
}
