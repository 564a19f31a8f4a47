/* SPDX-License-Identifier: MIT */
/*
 * A thread registers a handler while main exits: it is called if that comes before the end, also
 * when all others have been called.
 *
 * RUN    plait test -s dfs -k
 * EXPECT exit complete message~4
 *
 * RUN    [dpor] plait test -s dpor -k
 * EXPECT exit complete message~4
 *
 * RUN    plait test -s dfs -k --restart fork
 * EXPECT exit complete restart=fork message~4
 *
 * Between two handlers, too, after all that the first one shows.
 *
 * RUN    -DBETWEEN plait test -s dfs -k
 * EXPECT exit complete message~4
 *
 * RUN    [dpor] -DBETWEEN plait test -s dpor -k
 * EXPECT exit complete message~4
 *
 * Two threads exit: the status is that of the one who comes to the end.
 *
 * RUN    -DTWICE plait test -s dfs -k
 * EXPECT exit complete message~4
 *
 * RUN    [dpor] -DTWICE plait test -s dpor -k
 * EXPECT exit complete message~4
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int closed;

static void close_all(void)
{
    closed = 1;
}

#ifdef BETWEEN
static void end(void)
{
    _exit(0);
}
#endif

#ifndef TWICE
static void late(void)
{
    if (closed)
        _exit(4);
}
#endif

static void *run(void *arg)
{
#ifdef TWICE
    exit(4);
#else
#ifdef BETWEEN
    if (!closed)
        return arg;
#endif
    atexit(late);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;

#ifdef BETWEEN
    atexit(end);
#endif
    atexit(close_all);
    pthread_create(&t, NULL, run, NULL);
    return 0;
}
