/* SPDX-License-Identifier: MIT */
/*
 * Two threads add to one file: each looks for the end, then writes there.  What one has added may
 * be lost.  libc draws letters of the path anew whenever the program starts, and what is noted
 * about the file must hold for it all the same.  With RANGE they copy out of one file from its own
 * position, which the next execution finds where it was.  With CLOSED the file is open from the
 * beginning on, and closed before it is removed: the next execution has it open, and finds it by
 * its path.
 *
 * RUN    plait test -s dpor --restart exec
 * EXPECT assertion message~lost
 *
 * RUN    -DRANGE plait test -s dpor --outputs
 * EXPECT clean complete restart=rollback outputs=ab,ba
 *
 * RUN    -DCLOSED plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DALWAYS plait test -s noise -n 1
 * EXPECT assertion message~lost
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/plait-drawn-XXXXXX";
static int from;
#ifdef RANGE
static int to[2];
#endif

static void *add(void *which)
{
#ifdef RANGE
    loff_t at = 0;

    assert(copy_file_range(from, NULL, to[which != NULL], &at, 1, 0) == 1);
#elif defined(CLOSED)
    assert(write(from, which != NULL ? "x" : "y", 1) == 1);
#else
    int file = open(path, O_WRONLY);

    (void)which;
#ifndef ALWAYS
    lseek(file, 0, SEEK_END);
#endif
    assert(write(file, "x", 1) == 1);
    close(file);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    char text[3] = "";

    from = mkstemp(path);
#ifdef RANGE
    assert(write(from, "ab", 2) == 2 && lseek(from, 0, SEEK_SET) == 0);
    to[0] = fileno(tmpfile());
    to[1] = fileno(tmpfile());
#elif !defined(CLOSED)
    close(from);
#endif
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, path);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifdef RANGE
    assert(pread(to[0], text, 1, 0) == 1 && pread(to[1], text + 1, 1, 0) == 1);
    puts(text);
#else
#ifdef CLOSED
    close(from);
#endif
    from = open(path, O_RDONLY);
    ssize_t n = pread(from, text, 2, 0);

    unlink(path);
    assert(n == 2 && "lost");
#endif
    return 0;
}
