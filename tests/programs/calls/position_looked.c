/* SPDX-License-Identifier: MIT */
/*
 * Two calls that move the position of a file, and one that only looks at the file: six orders, of
 * which searches must not take one for another because the last call changes nothing.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=6
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=6 executions=6
 *
 * RUN    plait test -s dpor:source
 * EXPECT clean complete classes=6 executions=6
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int file;

static void *read_one(void *arg)
{
    char byte;

    assert(read(file, &byte, 1) == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    char byte;

    file = memfd_create("file", 0);
    assert(file >= 0 && write(file, "abcd", 4) == 4 && lseek(file, 0, SEEK_SET) == 0);
    pthread_create(&a, NULL, read_one, NULL);
    pthread_create(&b, NULL, read_one, NULL);
    assert(pread(file, &byte, 1, 2) == 1 && byte == 'c');
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
