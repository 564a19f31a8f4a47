/* SPDX-License-Identifier: MIT */
/*
 * A file without a name (O_TMPFILE) from before the first thread gets one from one of two threads.
 * The kernel gives it one once only, so that each execution needs another file; of one that a
 * thread has made it has it.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete restart=exec why~linkat
 *
 * RUN    plait test -s dfs -- late
 * EXPECT clean complete restart=rollback
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char name[] = "temporary_linked.data";
static int fd = -1;
static atomic_int given;

static void make(void)
{
    fd = open(".", O_TMPFILE | O_RDWR, 0600);
    assert(fd >= 0 || errno == EOPNOTSUPP);
}

static void *give(void *unused)
{
    char path[32];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0)
        given++;
    else
        assert(errno == EEXIST);
    return unused;
}

static void *both(void *unused)
{
    pthread_t a, b;

    if (fd < 0)
        make();
    if (fd < 0)
        return unused;
    pthread_create(&a, NULL, give, NULL);
    pthread_create(&b, NULL, give, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(given == 1 && unlink(name) == 0);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t t;

    (void)argv;
    unlink(name);
    if (argc == 1)
        make();
    pthread_create(&t, NULL, both, NULL);
    pthread_join(t, NULL);
    return 0;
}
