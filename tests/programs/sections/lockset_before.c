/* SPDX-License-Identifier: MIT */
/*
 * Threads before plait_begin(): what a detector notes there does not move the root.
 * Every execution begins with it, so every one shows it, and nothing else.
 *
 * RUN    plait test -s dfs -k --detect lockset
 * EXPECT lockset complete executions=6 failures=6 count=6 location~@before
 *
 * RUN    plait test -s dfs -k --detect lockset --restart fork
 * EXPECT lockset complete executions=6 failures=6 count=6 location~@before same=1
 *
 * RUN    plait test -s dfs -k --detect lockset --restart exec
 * EXPECT lockset complete executions=6 failures=6 count=6 location~@before same=1
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete executions=6
 */
#include <plait.h>
#include <pthread.h>
#include <stdatomic.h>

static volatile int plain;
static atomic_int turn;

static void *before(void *arg)
{
    plain = 1; /* @before */
    return arg;
}

static void *work(void *arg)
{
    turn++;
    return arg;
}

static void run_two(void *(*start)(void *))
{
    pthread_t t, u;

    pthread_create(&t, NULL, start, NULL);
    pthread_create(&u, NULL, start, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
}

int main(void)
{
    run_two(before);
    plait_begin();
    run_two(work);
    return 0;
}
