/* SPDX-License-Identifier: MIT */
/*
 * A thread that is to end closes the descriptor at which another one waits, in the belief that this
 * wakes it: it does not.  With -DFIXED it closes the other end, which does.
 *
 * RUN    plait test -s dfs
 * EXPECT deadlock
 *
 * RUN    plait test -s dpor
 * EXPECT deadlock
 *
 * RUN    plait test
 * EXPECT deadlock
 *
 * RUN    plait test -s noise -n 60
 * EXPECT deadlock
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DFIXED=1 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFIXED=1 plait test -s noise -n 60
 * EXPECT clean
 *
 * RUN    -DFIXED=1 native
 * EXPECT exit=0
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef FIXED
#define FIXED 0
#endif

static int ends[2];

static void *serve(void *unused)
{
    char c;
    long n;

    (void)unused;
    while ((n = read(ends[0], &c, 1)) == 1)
        ;
    assert(n == 0 || errno == EBADF);
    return NULL;
}

int main(void)
{
    pthread_t server;

    assert(pipe(ends) == 0);
    pthread_create(&server, NULL, serve, NULL);
    assert(write(ends[1], "x", 1) == 1);
    close(ends[FIXED]);
    pthread_join(server, NULL);
    return 0;
}
