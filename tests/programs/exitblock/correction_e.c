/* SPDX-License-Identifier: MIT */
/*
 * Fails between two blocks of the second thread, when nobody but the first, who was put off, could
 * run: a block ends for the sake of those, too.
 *
 * RUN    [exitblock] plait test -s exitblock:plain -k
 * EXPECT assertion complete location~@bug paths=3
 *
 * RUN    [exitblock] plait test -s exitblock:rw -k
 * EXPECT assertion complete location~@bug paths=3
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT assertion complete location~@bug paths=3
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT assertion complete location~@bug paths=3
 *
 * RUN    [exitblock] plait test -s exitblock:rwdd,order=newest -k
 * EXPECT assertion complete location~@bug paths=3
 *
 * RUN    [exitblock] plait test -s exitblock:rwdd,order=random -k
 * EXPECT assertion complete location~@bug paths=3
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
    assert(x == 0); /* @bug */
    pthread_mutex_unlock(&m);
    return arg;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    x = 0;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    RUN_ALL(first, second);
    return 0;
}
