/* SPDX-License-Identifier: MIT */
/*
 * A FIFO of the program's own: nobody else can open the other end, so that whoever waits for that
 * is in a deadlock at once, whenever the FIFO was made.  With another thread, or a child, at the
 * other end all is well.
 *
 * RUN    plait test -s dpor -k
 * EXPECT deadlock complete
 *
 * RUN    -DLATE plait test -s dfs -k --restart fork
 * EXPECT deadlock complete
 *
 * RUN    -DREAD plait test -s dpor -k
 * EXPECT clean complete
 *
 * RUN    -DCHILD plait test -s dpor -n 3
 * EXPECT clean
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "fifoXXXXXX", path[sizeof(folder) + 8];

static void make(void)
{
    assert(mkdtemp(folder) != NULL);
    snprintf(path, sizeof(path), "%s/f", folder);
#ifdef LATE
    assert(mknod(path, S_IFIFO | 0600, 0) == 0);
#else
    assert(mkfifo(path, 0600) == 0);
#endif
}

static void *writes(void *arg)
{
#ifdef LATE
    make();
#endif
    int fd = open(path, O_WRONLY);

    assert(fd >= 0 && write(fd, "x", 1) == 1);
    close(fd);
    return arg;
}

__attribute__((unused)) static char take(void)
{
    char c = 0;
    int fd = open(path, O_RDONLY);

    assert(fd >= 0 && read(fd, &c, 1) == 1);
    close(fd);
    return c;
}

int main(void)
{
    pthread_t t;
    pid_t child = 0;

#ifndef LATE
    make();
#endif
#ifdef CHILD
    child = fork();
    if (child == 0)
        _exit(take() != 'x');
#endif
    pthread_create(&t, NULL, writes, NULL);
#ifdef READ
    assert(take() == 'x');
#endif
    pthread_join(t, NULL);
    int status = 0;

    assert(child == 0 || (waitpid(child, &status, 0) == child && status == 0));
    unlink(path);
    rmdir(folder);
    return 0;
}
