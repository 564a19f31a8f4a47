/* SPDX-License-Identifier: MIT */
/*
 * Every number that a program may have is its own: it copies a descriptor to the first free one
 * from 1000 on, puts one on each of 990 to 1019, closes all that it does not know of, one by one or
 * as a range, before there are threads or after; what it has not opened is not there.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    plait test -s random -n 3 --restart fork
 * EXPECT clean
 *
 * RUN    plait test -s random -n 3 --restart exec
 * EXPECT clean
 *
 * RUN    plait test -s random -n 3 --carrier thread
 * EXPECT clean
 *
 * RUN    plait test -s noise -n 3
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void close_unknown(void)
{
    static const int from[] = {3, 998, 3838}, to[] = {20, 1008, 3858};

    for (int i = 0; i < 3; i++) {
        for (int fd = from[i]; fd < to[i]; fd++) {
            if (fd == ends[0] || fd == ends[1])
                continue;
            close(fd);
            assert(fcntl(fd, F_GETFD) == -1 && errno == EBADF);
        }
    }
}

static int count_listed(void)
{
    DIR *all = opendir("/proc/self/fd");
    int n = 0;

    assert(all != NULL);
    for (const struct dirent *e; (e = readdir(all)) != NULL;)
        n += e->d_name[0] != '.' && atoi(e->d_name) != dirfd(all);
    closedir(all);
    return n;
}

static void *writes(void *unused)
{
    int copy = fcntl(ends[1], F_DUPFD, 1000);

    assert(copy == 1000 && close(copy) == 0);
    for (int fd = 990; fd < 1020; fd++)
        assert(dup2(ends[1], fd) == fd);
    for (int fd = 990; fd < 1020; fd += 2)
        assert(close(fd) == 0 && close(fd) == -1);
    assert(close_range(980, ~0U, 0) == 0 && fcntl(991, F_GETFD) == -1);
    close_unknown();
    assert(count_listed() == 5);
    assert(write(ends[1], "x", 1) == 1);
    return unused;
}

int main(void)
{
    pthread_t other;
    char got = 0;

    assert(pipe(ends) == 0);
    close_unknown();
    closefrom(ends[1] + 1);
    assert(count_listed() == 5);
    pthread_create(&other, NULL, writes, NULL);
    assert(read(ends[0], &got, 1) == 1 && got == 'x');
    pthread_join(other, NULL);
    return 0;
}
