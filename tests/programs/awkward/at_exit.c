/* SPDX-License-Identifier: MIT */
/*
 * Handlers for the end are registered before the root and during the execution, by each thread.
 * At the end of each execution each of them runs once, in reverse order.
 *
 * OUTPUT in the execution, last
 * OUTPUT in the execution
 * OUTPUT on_exit 7
 * OUTPUT before the threads
 *
 * RUN    plait test -s random -n 40 --expect-exit=7 --expect-output=%t/expected
 * EXPECT clean executions=40 restart=rollback
 *
 * RUN    plait test -s random -n 40 --expect-exit=7 --expect-output=%t/expected --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 40 --expect-exit=7 --expect-output=%t/expected --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    native
 * EXPECT exit=7
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int turn, registered;

static void before(void)
{
    puts("before the threads");
}

static void with_status(int status, void *arg)
{
    printf("%s %d\n", (const char *)arg, status);
}

static void during(void)
{
    puts("in the execution");
}

static void last(void)
{
    puts("in the execution, last");
}

static void *thread(void *arg)
{
    turn++;
    if (atomic_exchange(&registered, 1) == 0)
        assert(atexit(during) == 0);
    turn++;
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(atexit(before) == 0);
    assert(on_exit(with_status, "on_exit") == 0);
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    thread(NULL);
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
    assert(atexit(last) == 0);
    exit(7);
}
