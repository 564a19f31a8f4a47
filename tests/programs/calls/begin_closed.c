/* SPDX-License-Identifier: MIT */
/*
 * One thread closes a number at which another is about to write.  The write begins before that and
 * ends before or after it, or finds the number closed: whether its thread had come to the call by
 * then is no fourth class.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=3
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=3
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *give_up(void *arg)
{
    assert(close(ends[1]) == 0);
    return arg;
}

static void *put(void *arg)
{
    ssize_t n = write(ends[1], "x", 1);

    assert(n == 1 || errno == EBADF);
    return arg;
}

int main(void)
{
    pthread_t closer, writer;

    assert(pipe(ends) == 0);
    pthread_create(&closer, NULL, give_up, NULL);
    pthread_create(&writer, NULL, put, NULL);
    pthread_join(closer, NULL);
    pthread_join(writer, NULL);
    return 0;
}
