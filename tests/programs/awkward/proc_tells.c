/* SPDX-License-Identifier: MIT */
/*
 * What stands below /proc about the process and its threads has the numbers and names that the
 * program knows.
 *
 * RUN    plait test -s random -n 40
 * EXPECT clean executions=40
 *
 * RUN    plait test -s random -n 5 --restart fork
 * EXPECT clean restart=fork
 *
 * RUN    plait test -s random -n 3 --restart exec
 * EXPECT clean restart=exec
 *
 * RUN    plait test -s random -n 5 --carrier thread
 * EXPECT clean executions=5
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static void read_stat(const char *path, int number, const char *name)
{
    FILE *f = fopen(path, "r");
    int id, parent, group, session;
    char said[64], state;

    assert(f != NULL);
    assert(fscanf(f, "%d (%63[^)]) %c %d %d %d", &id, said, &state, &parent, &group, &session) ==
           6);
    assert(id == number && parent == getppid() && group == getpgrp() && session == getsid(0));
    assert(strcmp(said, name) == 0);
    fclose(f);
}

static int status(const char *path, const char *word)
{
    FILE *f = fopen(path, "r");
    char line[256], format[32];
    int found = -1;

    assert(f != NULL);
    snprintf(format, sizeof(format), "%s: %%d", word);
    while (fgets(line, sizeof(line), f) != NULL && sscanf(line, format, &found) != 1)
        ;
    fclose(f);
    return found;
}

static void *look(void *arg)
{
    const char *name = arg;
    char path[64], line[32];

    prctl(PR_SET_NAME, name);
    read_stat("/proc/self/stat", getpid(), "whole");
    read_stat("/proc/thread-self/stat", gettid(), name);
    snprintf(path, sizeof(path), "/proc/%d/stat", getpid());
    read_stat(path, getpid(), "whole");
    snprintf(path, sizeof(path), "/proc/self/task/%d/stat", gettid());
    read_stat(path, gettid(), name);
    snprintf(path, sizeof(path), "/proc/self/task/%d/status", gettid());
    assert(status(path, "Pid") == gettid() && status(path, "Tgid") == getpid());
    assert(status("/proc/self/status", "Pid") == getpid());
    assert(status("/proc/self/status", "PPid") == getppid());
    assert(status("/proc/self/status", "Threads") >= 2);
    snprintf(path, sizeof(path), "/proc/self/task/%d/comm", gettid());
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    assert(fd >= 0 && fcntl(fd, F_GETFD) == FD_CLOEXEC);
    ssize_t n = read(fd, line, sizeof(line));

    assert(n == (ssize_t)strlen(name) + 1 && memcmp(line, name, n - 1) == 0);
    close(fd);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    prctl(PR_SET_NAME, "whole");
    pthread_create(&a, NULL, look, "one");
    pthread_create(&b, NULL, look, "two");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
