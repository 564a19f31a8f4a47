/* SPDX-License-Identifier: MIT */
/*
 * Calls about a range of memory fail where another thread has given it back: which comes first is
 * explored, also where only the kernel looks at the memory, and it was mapped before the first
 * thread.
 *
 * RUN    plait test -s dpor -- msync
 * EXPECT assertion location~@fails
 *
 * RUN    plait test -s dpor -- madvise
 * EXPECT assertion location~@fails
 *
 * RUN    plait test -s dpor -- mincore
 * EXPECT assertion location~@fails
 *
 * RUN    plait test -s dpor -- link
 * EXPECT assertion location~@link
 *
 * RUN    plait test -s dpor -- apart
 * EXPECT clean complete
 *
 * RUN    native apart
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

static char *memory;
static const char *what;
static int file;

static void *look(void *arg)
{
    unsigned char in[1];
    char path[40], target[40];
    int rc = 0;

    if (strcmp(what, "link") == 0) {
        snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
        assert(readlink(path, target, sizeof(target)) > 0); /* @link */
        return arg;
    }
    if (strcmp(what, "mincore") == 0)
        rc = mincore(memory, PAGE, in);
    else if (strcmp(what, "madvise") == 0)
        rc = madvise(memory, PAGE, MADV_WILLNEED);
    else
        rc = msync(memory, PAGE, MS_ASYNC);
    assert(rc == 0); /* @fails */
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;

    what = argc > 1 ? argv[1] : "apart";
    memory = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    file = open("/dev/null", O_RDONLY);
    pthread_create(&t, NULL, look, NULL);
    munmap(strcmp(what, "apart") == 0 ? memory + PAGE : memory, PAGE);
    close(file);
    pthread_join(t, NULL);
    return 0;
}
