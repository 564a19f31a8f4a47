/* SPDX-License-Identifier: MIT */
/*
 * libc names another thread through a file, and asks for its name so: for a moment it has a
 * descriptor, so that whoever opens something meanwhile gets another number.  For its own name a
 * thread needs none.
 *
 * RUN    plait test -s dfs -- sets
 * EXPECT assertion
 *
 * RUN    plait test -s dpor -- sets
 * EXPECT assertion
 *
 * RUN    plait test -s dpor -- asks
 * EXPECT assertion
 *
 * RUN    plait test -s dpor -- own
 * EXPECT clean complete
 *
 * RUN    native own
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int lowest;

static void *opens(void *arg)
{
    int fd = open("/dev/null", O_RDONLY);

    assert(fd == lowest);
    close(fd);
    return arg;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "own";
    char name[16];
    pthread_t thread;

    lowest = open("/dev/null", O_RDONLY);
    close(lowest);
    pthread_create(&thread, NULL, opens, NULL);
    if (strcmp(how, "sets") == 0)
        pthread_setname_np(thread, "other");
    else if (strcmp(how, "asks") == 0)
        pthread_getname_np(thread, name, sizeof(name));
    else
        pthread_setname_np(pthread_self(), "own");
    pthread_join(thread, NULL);
    return 0;
}
