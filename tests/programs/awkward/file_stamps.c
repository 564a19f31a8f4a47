/* SPDX-License-Identifier: MIT */
/*
 * Whichever call changes a file, its times are those of the clock that the program looks at: of
 * what a link leads to or of the link, of a file that loses one of its names, and by descriptors.
 *
 * RUN    plait test -s random -n 5
 * EXPECT clean
 *
 * RUN    plait test -s random -n 3 --restart fork
 * EXPECT clean
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

static char folder[] = "/tmp/plait-stamps-XXXXXX";

static int put(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

    assert(fd >= 0 && write(fd, "old", 3) == 3);
    return fd;
}

/* For how long nothing about it has changed, or its content has not. */
static long unchanged(const char *path)
{
    struct stat st;

    assert(lstat(path, &st) == 0);
    return (long)(time(NULL) - st.st_ctime);
}

static long unwritten(const char *path)
{
    struct stat st;

    assert(lstat(path, &st) == 0);
    return (long)(time(NULL) - st.st_mtime);
}

static void by_path(void)
{
    const struct timeval set[2] = {{1, 0}, {2, 0}};
    const struct utimbuf old = {1, 2};

    sleep(10);
    assert(unchanged("file") >= 9 && unchanged("link") >= 9);
    assert(chmod("link", 0640) == 0 && unchanged("file") <= 1 && unchanged("link") >= 9);
    sleep(10);
    assert(lchown("link", getuid(), getgid()) == 0);
    assert(unchanged("link") <= 1 && unchanged("file") >= 9);
    sleep(10);
    assert(utime("link", &old) == 0 && unchanged("file") <= 1 && unchanged("link") >= 9);
    sleep(10);
    assert(utimes("file", set) == 0 && unchanged("file") <= 1);
    sleep(10);
    assert(futimesat(AT_FDCWD, "file", set) == 0 && unchanged("file") <= 1);
    sleep(10);
    assert(setxattr("file", "user.x", "y", 1, 0) == 0 ? unchanged("file") <= 1
                                                      : errno == ENOTSUP || errno == EPERM);
}

static void by_name(void)
{
    assert(symlink("file", "new") == 0 && mkfifo("pipe", 0600) == 0 && link("file", "second") == 0);
    sleep(10);
    assert(unwritten("new") >= 9 && unwritten("pipe") >= 9 && unchanged("file") >= 9);
    assert(unlink("second") == 0 && unchanged("file") <= 1);
    assert(link("file", "second") == 0);
    sleep(10);
    assert(rename("new", "second") == 0 && unchanged("file") <= 1);
    assert(unlink("second") == 0 && unlink("pipe") == 0);
}

static void by_descriptor(int fd)
{
    struct iovec piece = {"new", 3};
    struct open_how how = {.flags = O_WRONLY | O_TRUNC};
    int ends[2], other = put("other");

    sleep(10);
    assert(fchownat(fd, "", getuid(), getgid(), AT_EMPTY_PATH) == 0 && unchanged("file") <= 1);
    sleep(10);
    assert(pwritev2(fd, &piece, 1, 0, 0) == 3 && unwritten("file") <= 1);
    sleep(10);
    assert(lseek(fd, 0, SEEK_SET) == 0 && lseek(other, 0, SEEK_SET) == 0);
    assert(sendfile(fd, other, NULL, 3) == 3 && unwritten("file") <= 1);
    sleep(10);
    assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
    assert(splice(ends[0], NULL, fd, NULL, 1, 0) == 1 && unwritten("file") <= 1);
    close(ends[0]);
    close(ends[1]);
    sleep(10);
    assert(unwritten("file") >= 9);
    int cut = (int)syscall(SYS_openat2, AT_FDCWD, "file", &how, sizeof(how));

    assert(cut < 0 || unwritten("file") <= 1); /* there may be no such call */
    if (cut >= 0)
        close(cut);
    close(other);
    assert(unlink("other") == 0);
}

static void *change(void *arg)
{
    int fd = put("file");

    assert(symlink("file", "link") == 0);
    by_path();
    by_name();
    by_descriptor(fd);
    close(fd);
    assert(unlink("file") == 0 && unlink("link") == 0);
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
    pthread_create(&t, NULL, change, NULL);
    pthread_join(t, NULL);
    assert(chdir("/") == 0 && rmdir(folder) == 0);
    return 0;
}
