/* SPDX-License-Identifier: MIT */
/*
 * Files have the times of the clock that the program looks at: what was just written is new, and
 * what was written before a sleep is older.  What has not changed since before the first thread has
 * not, and times that were set stay.  Whoever asks by syscall() is told the same.
 *
 * RUN    plait test -s random -n 20
 * EXPECT clean executions=20 restart=rollback
 *
 * RUN    plait test -s random -n 10 --restart fork
 * EXPECT clean executions=10
 *
 * RUN    plait test -s random -n 5 --restart exec
 * EXPECT clean executions=5
 *
 * RUN    plait test -s random -n 10 --carrier thread
 * EXPECT clean executions=10
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/plait-times-XXXXXX", before[64], later[64];
static struct stat first;

static void put(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert(fd >= 0 && write(fd, "x", 1) == 1);
    close(fd);
}

static long age(const char *path)
{
    struct stat st;

    assert(stat(path, &st) == 0);
    return (long)(time(NULL) - st.st_mtime);
}

static void *write_twice(void *arg)
{
    struct timespec set[2] = {{100, 1}, {2000000000, 2}};
    struct statx x;

    put(later);
    assert(age(later) <= 1);
    sleep(10);
    assert(age(later) >= 9);
    put(later);
    assert(age(later) <= 1);
    assert(statx(AT_FDCWD, later, 0, STATX_BASIC_STATS, &x) == 0);
    assert(x.stx_mtime.tv_sec > first.st_mtime && x.stx_ctime.tv_sec > first.st_ctime);
    assert(utimensat(AT_FDCWD, later, set, 0) == 0);
    assert(statx(AT_FDCWD, later, 0, STATX_BASIC_STATS, &x) == 0);
    assert(x.stx_atime.tv_sec == 100 && x.stx_mtime.tv_sec == 2000000000);
    return arg;
}

static void *look(void *arg)
{
    struct stat st;

    assert(stat(before, &st) == 0);
    assert(st.st_mtim.tv_sec == first.st_mtim.tv_sec &&
           st.st_mtim.tv_nsec == first.st_mtim.tv_nsec);
    assert(st.st_ctime == first.st_ctime);
    return arg;
}

int main(void)
{
    struct statx by_number;
    pthread_t t, u;

    assert(mkdtemp(folder) != NULL);
    snprintf(before, sizeof(before), "%s/before", folder);
    snprintf(later, sizeof(later), "%s/later", folder);
    put(before);
    assert(stat(before, &first) == 0 && age(before) <= 1);
    assert(syscall(SYS_statx, AT_FDCWD, before, 0, STATX_BASIC_STATS, &by_number) == 0);
    assert(by_number.stx_ctime.tv_sec == first.st_ctime);
    pthread_create(&t, NULL, write_twice, NULL);
    pthread_create(&u, NULL, look, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(unlink(before) == 0 && unlink(later) == 0 && rmdir(folder) == 0);
    return 0;
}
