/* SPDX-License-Identifier: MIT */
/*
 * Handlers are called in the opposite order of their registration, by whichever thread that was.
 *
 * RUN    plait test -s dfs -k
 * EXPECT exit complete classes=2 message~2
 *
 * RUN    [dpor] plait test -s dpor -k
 * EXPECT exit complete classes=2 executions=2 message~2
 *
 * RUN    [dpor] -DON_EXIT plait test -s dpor -k
 * EXPECT exit complete classes=2 executions=2 message~2
 *
 * RUN    [dpor] -DQUICK plait test -s dpor -k
 * EXPECT exit complete classes=2 executions=2 message~2
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int first;

static void leave(int number)
{
    if (first == 0)
        first = number;
    else if (first == 2)
        _exit(2);
}

#ifdef ON_EXIT
static void one(int status, void *arg)
{
    (void)status;
    (void)arg;
    leave(1);
}

static void two(int status, void *arg)
{
    (void)status;
    (void)arg;
    leave(2);
}
#define AT_EXIT(f) on_exit(f, NULL)
#else
static void one(void)
{
    leave(1);
}

static void two(void)
{
    leave(2);
}
#ifdef QUICK
#define AT_EXIT(f) at_quick_exit(f)
#else
#define AT_EXIT(f) atexit(f)
#endif
#endif

static void *run(void *arg)
{
    AT_EXIT(two);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    AT_EXIT(one);
    pthread_join(t, NULL);
#ifdef QUICK
    quick_exit(0);
#endif
    return 0;
}
