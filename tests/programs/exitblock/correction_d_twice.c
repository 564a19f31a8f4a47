/* SPDX-License-Identifier: MIT */
/*
 * Three waiters, and two signals in one block: 168 orders, in all of which somebody waits for ever.
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT any exit=1 complete paths=168 stuck=168 reports=168
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT any exit=1 complete
 *
 * RUN    -DORDINARY plait test -s dpor -k
 * EXPECT any exit=1 complete
 *
 * Threads that exist when an execution begins are not new ones for those who simplify a schedule.
 * RUN    plait test -s dpor -k
 * EXPECT any exit=1 complete preemptions=0 executions=168
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
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    RUN_ALL(waits, waits, waits, signals);
    return 0;
}
