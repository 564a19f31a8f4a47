/* SPDX-License-Identifier: MIT */
/*
 * Memory is mapped during the execution and stays mapped; each time the place must be free
 * again.  The argument says what is mapped: memory of the process, memory to be shared with
 * children, or a file whose pages the process changes for itself.  Protection is changed, half
 * of the mapping is given back, and the other half is moved: all of it concerns nothing that
 * was there at the root.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    plait test -s random -n 100 -- shared
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 --restart fork -- shared
 * EXPECT clean restart=fork same=4
 *
 * RUN    plait test -s random -n 100 --restart exec -- shared
 * EXPECT clean restart=exec same=4
 *
 * RUN    plait test -s random -n 100 -- file
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 --restart fork -- file
 * EXPECT clean restart=fork same=7
 *
 * RUN    plait test -s random -n 100 --restart exec -- file
 * EXPECT clean restart=exec same=7
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, HALF = 8 * PAGE, SIZE = 2 * HALF };

/* Far from where the kernel and plait put things. */
#define PLACE ((char *)0x100000000000)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int flags = MAP_PRIVATE | MAP_ANONYMOUS, fd = -1;
static const char *itself;
static char first;

static void *writer(void *arg)
{
    pthread_mutex_lock(&lock);
    assert(PLACE[0] == first || PLACE[0] == 'm');
    PLACE[0] = 't';
    pthread_mutex_unlock(&lock);
    return arg;
}

static void execution(void)
{
    pthread_t t;
    char *p;

    pthread_mutex_lock(&lock);
    assert(pthread_create(&t, NULL, writer, NULL) == 0);
    if (itself != NULL)
        fd = open(itself, O_RDONLY);
    p = mmap(PLACE, SIZE, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, fd, 0);
    assert(p == PLACE); /* @fresh */
    assert(p[0] == first);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(p[0] == first || p[0] == 't');
    p[0] = 'm';
    p[HALF] = 'h';
    pthread_mutex_unlock(&lock);
    assert(pthread_join(t, NULL) == 0);
    assert(p[0] == 'm' || p[0] == 't');
    p = mremap(p + HALF, HALF, 2 * HALF, MREMAP_MAYMOVE | MREMAP_FIXED, PLACE + 4 * SIZE);
    assert(p == PLACE + 4 * SIZE && p[0] == 'h');
    assert(mprotect(p, PAGE, PROT_READ) == 0 && p[0] == 'h');
    assert(munmap(PLACE + PAGE, PAGE) == 0);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "private";

    if (strcmp(what, "shared") == 0)
        flags = MAP_SHARED | MAP_ANONYMOUS;
    if (strcmp(what, "file") == 0) {
        itself = argv[0];
        flags = MAP_PRIVATE;
        first = '\177';
    }
    execution();
    if (strcmp(what, "twice") == 0)
        execution();
    return 0;
}
