/* SPDX-License-Identifier: MIT */
/*
 * Between two pipes splice() and tee() do not wait if either of them is O_NONBLOCK, the one that is
 * written to as well.
 *
 * RUN    plait test -s dfs -- splice
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s dpor -- tee
 * EXPECT clean complete exit=0
 *
 * RUN    -DTAKES plait test -s dpor -- splice
 * EXPECT assertion
 *
 * RUN    native tee
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int from[2], to[2];

static void *take(void *arg)
{
    char byte;
    long n = read(from[0], &byte, 1);

    assert(n == 1);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t other;

    assert(pipe(from) == 0 && pipe2(to, O_NONBLOCK) == 0);
#ifdef TAKES
    assert(write(from[1], "a", 1) == 1);
    pthread_create(&other, NULL, take, NULL);
#endif
    long n = argc > 1 && argv[1][0] == 't' ? tee(from[0], to[1], 1, 0)
                                           : splice(from[0], NULL, to[1], NULL, 1, 0);
#ifdef TAKES
    assert(n == 1); /* unless the other one was there before */
    assert(write(from[1], "a", 1) == 1);
#else
    assert(n == -1 && errno == EAGAIN);
    pthread_create(&other, NULL, take, NULL);
    assert(write(from[1], "a", 1) == 1);
#endif
    pthread_join(other, NULL);
    return 0;
}
