/* SPDX-License-Identifier: MIT */
/*
 * A cancellation that comes when the kernel has made a call, and before libc has noticed, acts at
 * the end of the call: what was taken is lost, what was opened stays open.  Whoever has switched
 * cancellation off has it all.
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=left.it,read.it,lost.it
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete
 *
 * RUN    -DSTREAM plait test -s dpor --outputs
 * EXPECT clean complete
 *
 * RUN    -DFAILS plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DFAILS -DSTREAM plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DFAILS -DOFF plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2], got;

#ifdef STREAM /* which libc fills within itself */
static int take(void)
{
    FILE *f = fdopen(ends[0], "r");

    setvbuf(f, NULL, _IONBF, 0);
    return getc(f) == 'x';
}
#else
static int take(void)
{
    char byte;

    return read(ends[0], &byte, 1) == 1;
}
#endif

static void *reader(void *arg)
{

#ifdef OFF
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
#endif
    if (take())
        got = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    char byte;

    assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
    pthread_create(&t, NULL, reader, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    int left = read(ends[0], &byte, 1) == 1;

#ifdef FAILS
    assert(got || left);
#endif
    printf("%s\n", got ? "read.it" : left ? "left.it" : "lost.it");
    return 0;
}
