/* SPDX-License-Identifier: MIT */
/*
 * Paths and buffers at addresses where there is no memory: the kernel refuses such a call, and the
 * program goes on.  Who reads a text there itself crashes, in the line that calls it.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DWHERE=-1 plait test -s random -n 20
 * EXPECT clean
 *
 * RUN    -DWHERE=0 plait test -s random -n 20 --restart fork
 * EXPECT clean
 *
 * RUN    -DWHERE=page(0) plait test -s random -n 20
 * EXPECT clean
 *
 * RUN    -DWHERE=page(4094) plait test -s random -n 20
 * EXPECT clean
 *
 * RUN    -DREADS plait test -s random -n 20
 * EXPECT crash location~@reads replay=1
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef WHERE
#define WHERE 16
#endif

#define FAILS(call) assert((errno = 0, (call)) == -1 && errno == EFAULT)

enum { PAGE = 4096 };

static char *nowhere;

/* Behind a text that has no end there is nothing. */
static __attribute__((unused)) long page(long at)
{
    char *two = mmap(NULL, 2L * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert(two != MAP_FAILED);
    memset(two, 'a', PAGE);
    munmap(two + (at > 0 ? PAGE : 0), at > 0 ? PAGE : 2L * PAGE);
    return (long)(two + at);
}

static void paths(void)
{
    struct stat st;
    char text[16];

    FAILS(open(nowhere, O_RDONLY));
    FAILS(openat(AT_FDCWD, nowhere, O_RDONLY));
    FAILS(creat(nowhere, 0600));
    FAILS(stat(nowhere, &st));
    FAILS(lstat(nowhere, &st));
    FAILS(access(nowhere, R_OK));
    FAILS(chdir(nowhere));
    FAILS(unlink(nowhere));
    FAILS(rmdir(nowhere));
    FAILS(mkdir(nowhere, 0700));
    FAILS(chmod(nowhere, 0700));
    FAILS(truncate(nowhere, 0));
    FAILS(readlink(nowhere, text, sizeof(text)));
    FAILS(rename(nowhere, "other"));
    FAILS(rename("other", nowhere));
    FAILS(symlink("other", nowhere));
    FAILS(link(nowhere, "other"));
    assert(fopen(nowhere, "r") == NULL && errno == EFAULT);
}

static void buffers(void)
{
    int ends[2];
    char got = 0;

    assert(pipe(ends) == 0);
    FAILS(write(ends[1], nowhere + 2, 1));
    assert(write(ends[1], "a", 1) == 1);
    FAILS(read(ends[0], nowhere + 2, 1));
    assert(read(ends[0], &got, 1) == 1 && got == 'a');
    close(ends[0]);
    close(ends[1]);
}

static void *work(void *arg)
{
#ifdef READS
    if (atoi(nowhere) == 1) /* @reads */
        return NULL;
#endif
    paths();
    buffers();
    return arg;
}

int main(void)
{
    pthread_t thread;

    nowhere = (char *)(long)(WHERE);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
