/* SPDX-License-Identifier: MIT */
/*
 * The first block of one and the block of the other share no data, and yet their order matters:
 * whoever is in the region of m keeps the other out.
 *
 * RUN    [exitblock] plait test -s exitblock:plain -k
 * EXPECT assertion complete location~@bug
 *
 * RUN    [exitblock] plait test -s exitblock:rw -k
 * EXPECT assertion complete location~@bug
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT assertion complete location~@bug
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

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *first(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&n);
    assert(x == 0); /* @bug */
    pthread_mutex_unlock(&m);
    return arg;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    RUN_ALL(first, second);
    return 0;
}
