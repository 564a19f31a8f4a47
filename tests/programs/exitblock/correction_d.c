/* SPDX-License-Identifier: MIT */
/*
 * Two waiters, two signals: 72 orders of blocks with a choice of whom a signal wakes, each of them
 * once.
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT any exit=1 complete paths=72 stuck=32 finished=40 reports=32
 *
 * RUN    [exitblock] plait test -s exitblock:plain -k
 * EXPECT any complete paths=72 stuck=32 finished=40
 *
 * RUN    [exitblock] plait test -s exitblock:dd,order=newest -k
 * EXPECT any exit=1 complete paths=72 stuck=32 finished=40 reports=32
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT any exit=1 complete
 *
 * RUN    -DORDINARY plait test -s dpor -k
 * EXPECT any exit=1 complete
 */
#include "begin.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waits(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *signals(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    RUN_ALL(waits, waits, signals, signals);
    return 0;
}
