/* SPDX-License-Identifier: MIT */
/*
 * A program that lists its descriptors finds those that it has opened, and no others: one that
 * closes all it finds closes nobody else's.
 *
 * RUN    plait test -s random -n 20
 * EXPECT clean executions=20
 *
 * RUN    plait test -s random -n 5 --restart exec
 * EXPECT clean executions=5
 *
 * RUN    plait test -s noise -n 5
 * EXPECT clean executions=5
 */
#include <assert.h>
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *list(void *arg)
{
    int fd = dup(0), found = 0;
    DIR *d = opendir("/proc/self/fd");

    assert(fd >= 0 && d != NULL);
    for (struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
        assert(atoi(e->d_name) < 64);
        found += atoi(e->d_name) == fd;
    }
    assert(found == 1);
    closedir(d);
    close(fd);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    list(NULL); /* also before there are threads */
    pthread_create(&t, NULL, list, NULL);
    pthread_create(&u, NULL, list, NULL);
    pthread_join(t, NULL);
    return pthread_join(u, NULL);
}
