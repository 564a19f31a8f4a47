/* SPDX-License-Identifier: MIT */
/*
 * A thread ends the program at once, by _exit(), by exit() with handlers, or by quick_exit(), in
 * some interleavings; text is pending then.  In the others the program goes on to its end.
 *
 * RUN    plait test -s random -k -n 100
 * EXPECT exit message~3 failures=1-99 executions=100 restart=rollback replay=1
 *
 * RUN    plait test -s random -k -n 100 --no-minimize --restart fork
 * EXPECT exit message~3 restart=fork same=1 replay=1
 *
 * RUN    plait test -s random -k -n 100 --no-minimize --restart exec
 * EXPECT exit message~3 restart=exec same=1 replay=1
 *
 * RUN    plait test -s random -k -n 100 -- exit
 * EXPECT exit failures=1-99 executions=100 restart=rollback message~3 replay=1
 *
 * RUN    plait test -s random -k -n 100 --no-minimize --restart fork -- exit
 * EXPECT exit restart=fork same=4 replay=1
 *
 * RUN    plait test -s random -k -n 100 --no-minimize --restart exec -- exit
 * EXPECT exit restart=exec same=4 replay=1
 *
 * RUN    plait test -s random -k -n 100 -- quick
 * EXPECT exit failures=1-99 executions=100 restart=rollback message~3 replay=1
 *
 * RUN    plait test -s random -k -n 100 --no-minimize --restart fork -- quick
 * EXPECT exit restart=fork same=7 replay=1
 *
 * RUN    plait test -s random -k -n 100 --no-minimize --restart exec -- quick
 * EXPECT exit restart=exec same=7 replay=1
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *how = "_exit";
static atomic_int ready;
static int handled;

static void handler(void)
{
    assert(++handled == 1);
}

static void *thread(void *arg)
{
    printf("pending");
    if (ready == 1 && strcmp(how, "exit") == 0)
        exit(3);
    if (ready == 1 && strcmp(how, "quick") == 0)
        quick_exit(3);
    if (ready == 1)
        _exit(3);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;

    if (argc > 1)
        how = argv[1];
    assert(atexit(handler) == 0 && at_quick_exit(handler) == 0);
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(handled == 0);
    ready = 1;
    ready = 2;
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
