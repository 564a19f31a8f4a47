/* SPDX-License-Identifier: MIT */
/*
 * A file that is named after the process, as logs and locks are: one thread replaces it while
 * another looks for it.
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char name[64];

static void *replace(void *arg)
{
    int fd;

    unlink(name); /* and for a moment there is none */
    fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert(fd >= 0);
    close(fd);
    return arg;
}

static void *look(void *arg)
{
    int fd = open(name, O_RDONLY);

    fprintf(stderr, "process %d\n", (int)getpid());
    assert(fd >= 0);
    close(fd);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    int fd;

    snprintf(name, sizeof(name), "log.%d", (int)getpid());
    fd = open(name, O_WRONLY | O_CREAT, 0600);
    assert(fd >= 0);
    close(fd);
    pthread_create(&threads[0], NULL, replace, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    unlink(name);
    return 0;
}
