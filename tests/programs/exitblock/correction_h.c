/* SPDX-License-Identifier: MIT */
/*
 * Each releases its first lock first, so that when a block ends it has the second only, and no
 * attempt that fails shows the deadlock.
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT deadlock complete
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT deadlock complete
 *
 * RUN    [exitblock] plait test -s exitblock:dd,order=newest -k
 * EXPECT deadlock complete
 *
 * RUN    [exitblock] plait test -s exitblock:rwdd,order=newest -k
 * EXPECT deadlock complete
 *
 * RUN    [exitblock] plait test -s exitblock:rwdd,order=random -k
 * EXPECT deadlock complete
 *
 * RUN    plait test -s dpor -k
 * EXPECT deadlock complete
 */
#include "begin.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

int main(void)
{
    RUN_ALL(first, second);
    return 0;
}
