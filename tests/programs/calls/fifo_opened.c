/* SPDX-License-Identifier: MIT */
/*
 * Who opens an end of a FIFO changes what those find who have the other one.  Without a writer it
 * is at its end; with one there is nothing yet: who looks is told to come again, and who waits
 * goes on waiting.  So one read finds the end before the FIFO is opened again, or what is written
 * behind that; the other one finds the end, nothing, or a byte.  (dfs needs 5,834 executions for
 * the same 48 classes.)
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete classes=48 outputs=a-end,a-none,end-end,end-a,end-none
 *
 * RUN    plait test -s dpor:source --outputs
 * EXPECT clean complete classes=48 outputs=a-end,a-none,end-end,end-a,end-none
 *
 * Opened before the first thread it is the same FIFO for who opens it by its name.
 *
 * RUN    -DBEFORE plait test -s dfs -n 20
 * EXPECT clean
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "fifoXXXXXX", name[32];
static int reader, writer;

static void *open_again(void *arg)
{
    close(writer);
    writer = open(name, O_WRONLY);
    assert(writer >= 0 && write(writer, "a", 1) == 1);
    close(writer);
    return arg;
}

static const char *found(void)
{
    char byte;
    long n = read(reader, &byte, 1);

    assert(n >= 0 || errno == EAGAIN);
    return n < 0 ? "none" : n == 0 ? "end" : "a";
}

static void *open_both(void *arg)
{
    assert((reader = open(name, O_RDONLY | O_NONBLOCK)) >= 0 &&
           (writer = open(name, O_WRONLY)) >= 0 && fcntl(reader, F_SETFL, 0) == 0);
    return arg;
}

int main(void)
{
    const char *first, *second;
    pthread_t t;

    assert(mkdtemp(folder) != NULL);
    snprintf(name, sizeof(name), "%s/a", folder);
    assert(mkfifo(name, 0600) == 0);
#ifdef BEFORE
    open_both(NULL);
#else
    pthread_create(&t, NULL, open_both, NULL);
    pthread_join(t, NULL);
#endif
    pthread_create(&t, NULL, open_again, NULL);
    first = found();
    fcntl(reader, F_SETFL, O_NONBLOCK);
    second = found();
    pthread_join(t, NULL);
    printf("%s-%s\n", first, second);
    unlink(name);
    rmdir(folder);
    return 0;
}
