/* SPDX-License-Identifier: MIT */
/*
 * Whether somebody waits already when a signal comes is not a matter of data either: lost in one
 * order, heard in the other.
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT deadlock complete paths=2 finished=1 stuck=1 reports=1
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT deadlock complete paths=2 finished=1 stuck=1 reports=1
 *
 * RUN    [exitblock] plait test -s exitblock:rw,order=newest -k
 * EXPECT any paths=2 finished=1 stuck=1
 *
 * RUN    plait test -s dpor -k
 * EXPECT deadlock complete
 */
#include "begin.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *signals(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *waits(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    RUN_ALL(signals, waits);
    return 0;
}
