/* SPDX-License-Identifier: MIT */
/*
 * A FIFO is opened to write, and nobody ever reads it: a deadlock like any other.
 *
 * RUN    plait test -s dfs -n 1 --no-minimize
 * EXPECT deadlock exit=1
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "fifoXXXXXX", name[32];

static void *put(void *arg)
{
    int fd = open(name, O_WRONLY);

    assert(fd >= 0 && write(fd, "x", 1) == 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(mkdtemp(folder) != NULL);
    snprintf(name, sizeof(name), "%s/a", folder);
    assert(mkfifo(name, 0600) == 0);
    pthread_create(&t, NULL, put, NULL);
    pthread_join(t, NULL);
    return 0;
}
