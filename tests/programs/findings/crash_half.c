/* SPDX-License-Identifier: MIT */
/*
 * Every second execution crashes: 10,000 executions, 5,000 crashes, one finding.
 *
 * RUN    [gcc] [O2] plait test -s dfs -n 2000 -k
 * EXPECT crash exit=1 executions=2000 count=1000 message~SIGSEGV location~@bug
 */
#include <plait.h>
#include <pthread.h>
#include <stddef.h>

static int *volatile nowhere;

static void *thread(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    plait_choose(100);
    plait_choose(100);
    if (plait_choose(2))
        *nowhere = 1; /* @bug */
    return 0;
}
