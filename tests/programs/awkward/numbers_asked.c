/* SPDX-License-Identifier: MIT */
/*
 * Whatever call asks: the numbers of the process and of its threads are in paths what getpid() and
 * gettid() say, also in the second path of a call, and what the program has not opened is not open.
 * What it has opened is, whatever its number: some of those that plait could have are the
 * program's.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    plait test -s random -n 3 --restart fork
 * EXPECT clean
 *
 * RUN    plait test -s random -n 3 --carrier thread
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <unistd.h>

static char folder[] = "/tmp/numbers_asked-XXXXXX";

static void find_process(void)
{
    char path[64], name[64];
    struct statfs fs;
    int watch = inotify_init1(0);

    snprintf(path, sizeof(path), "/proc/%d/fd", (int)getpid());
    assert(statfs(path, &fs) == 0);
    assert(inotify_add_watch(watch, path, IN_OPEN) >= 0);
    close(watch);
    snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", (int)getpid(), (int)gettid());
    assert(statfs(path, &fs) == 0 && truncate(path, 0) == 0);

    int nameless = open(folder, O_TMPFILE | O_RDWR, 0600);

    assert(nameless >= 0);
    snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(), nameless);
    snprintf(name, sizeof(name), "%s/linked", folder);
    assert(linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0);
    assert(unlink(name) == 0 && close(nameless) == 0);
    snprintf(path, sizeof(path), "/proc/%d/comm", (int)getpid());
    assert(rename(folder, path) == -1 && errno == EXDEV);
}

static void find_none(int first, int last)
{
    struct statfs fs;
    char byte;

    for (int fd = first; fd < last; fd++) {
        const struct iovec one = {&byte, 1};

        assert(fstatfs(fd, &fs) == -1 && errno == EBADF);
        assert(fsync(fd) == -1 && errno == EBADF);
        assert(readv(fd, &one, 1) == -1 && errno == EBADF);
        assert(pwrite(fd, &byte, 1, 0) == -1 && errno == EBADF);
        assert(openat(fd, "none", O_RDONLY) == -1 && errno == EBADF);
        assert(faccessat(fd, "none", R_OK, 0) == -1 && errno == EBADF);
    }
}

/* If it may have so many. */
static void open_many(int last)
{
    const struct rlimit more = {(rlim_t)last + 1, (rlim_t)last + 1};
    struct rlimit now;

    assert(getrlimit(RLIMIT_NOFILE, &now) == 0);
    if (now.rlim_cur < more.rlim_cur && setrlimit(RLIMIT_NOFILE, &more) != 0)
        return;
    for (int fd = dup(0); fd < last; fd = dup(0))
        assert(fd >= 0 && fcntl(fd, F_GETFL) >= 0 && dup2(0, fd) == fd);
    close_range(3, (unsigned)last, 0);
}

static void *look(void *arg)
{
    find_process();
    find_none(3840, 3856);
    return arg;
}

int main(void)
{
    pthread_t other;

    assert(mkdtemp(folder) != NULL);
    open_many(3900);
    pthread_create(&other, NULL, look, NULL);
    pthread_join(other, NULL);
    assert(rmdir(folder) == 0);
    return 0;
}
