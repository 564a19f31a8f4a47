/* SPDX-License-Identifier: MIT */
/*
 * A pipe from before the first thread is filled through another descriptor, made since: it is empty
 * again in the next execution.  -DWAY=0 to 2: dup(), dup2(), fcntl().
 *
 * RUN    plait test -s random -n 4 --points all
 * EXPECT clean
 *
 * RUN    -DWAY=1 plait test -s random -n 4 --points all
 * EXPECT clean
 *
 * RUN    -DWAY=2 plait test -s random -n 4 --points all
 * EXPECT clean
 *
 * RUN    plait test -s random -n 4 --points all --restart fork
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifndef WAY
#define WAY 0
#endif

static int ends[2], spare[2], out;

static void *use(void *arg)
{
    out = WAY == 0 ? dup(ends[1]) : WAY == 1 ? dup2(ends[1], spare[1]) : fcntl(ends[1], F_DUPFD, 0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    int waiting = 0;

    assert(pipe(ends) == 0 && pipe(spare) == 0);
    pthread_create(&thread, NULL, use, NULL);
    pthread_join(thread, NULL);
    assert(write(out, "a", 1) == 1);
    assert(ioctl(ends[0], FIONREAD, &waiting) == 0 && waiting == 1);
    return 0;
}
