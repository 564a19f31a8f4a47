/* SPDX-License-Identifier: MIT */
/*
 * What vmsplice() has put into a pipe is read by whoever reads the pipe, as it is by then.  LATER:
 * it is changed after that, so that what is read depends on when; EARLY: the memory was given
 * before there were threads.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DLATER plait test -s dpor
 * EXPECT clean incomplete ended~vmsplice
 *
 * RUN    -DLATER -DEARLY plait test -s dpor
 * EXPECT clean incomplete ended~vmsplice
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SIZE = 4096 };

static char page[SIZE] __attribute__((aligned(SIZE)));
static int ends[2];

static void give(void)
{
    struct iovec all = {page, SIZE};

    page[0] = 'a';
    assert(vmsplice(ends[1], &all, 1, 0) == SIZE);
}

static void *giver(void *arg)
{
#ifndef EARLY
    give();
#endif
#ifdef LATER
    page[0] = 'b';
#endif
    return arg;
}

int main(void)
{
    pthread_t thread;
    char c;

    assert(pipe(ends) == 0);
#ifdef EARLY
    give();
#endif
    pthread_create(&thread, NULL, giver, NULL);
    assert(read(ends[0], &c, 1) == 1 && (c == 'a' || c == 'b'));
    pthread_join(thread, NULL);
    return 0;
}
