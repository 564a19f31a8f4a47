/* SPDX-License-Identifier: MIT */
/*
 * What is removed in each execution and made again before the next has the inode that it had, as
 * the program is told, and is the same content to a search; one that is made meanwhile has another.
 *
 * RUN    plait test -s random -n 60
 * EXPECT clean executions=60 restart=rollback
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=10 executions=10
 *
 * RUN    plait test -s dpor --restart fork
 * EXPECT clean complete classes=10 executions=10
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/plait-again-XXXXXX", file[64], link_to[64], below[64], other[64];
static ino_t first[3];

static ino_t inode_of(const char *path)
{
    struct stat st;

    assert(lstat(path, &st) == 0);
    return st.st_ino;
}

static void put(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT, 0600);

    assert(fd >= 0 && write(fd, "x", 1) == 1);
    close(fd);
}

static void *make(void *arg)
{
    put(other);
    for (int i = 0; i < 3; i++)
        assert(inode_of(other) != first[i]);
    assert(unlink(other) == 0);
    return arg;
}

static void *look(void *arg)
{
    assert(inode_of(file) == first[0] && inode_of(link_to) == first[1]);
    assert(inode_of(below) == first[2]);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    assert(mkdtemp(folder) != NULL);
    snprintf(file, sizeof(file), "%s/file", folder);
    snprintf(link_to, sizeof(link_to), "%s/link", folder);
    snprintf(below, sizeof(below), "%s/below", folder);
    snprintf(other, sizeof(other), "%s/other", folder);
    put(file);
    assert(symlink("file", link_to) == 0 && mkdir(below, 0700) == 0);
    first[0] = inode_of(file);
    first[1] = inode_of(link_to);
    first[2] = inode_of(below);
    pthread_create(&t, NULL, make, NULL);
    pthread_create(&u, NULL, look, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(unlink(file) == 0 && unlink(link_to) == 0 && rmdir(below) == 0 && rmdir(folder) == 0);
    return 0;
}
