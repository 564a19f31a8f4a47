/* SPDX-License-Identifier: MIT */
/*
 * Two signals come before a system call, or one does and the other is too late: if both are sent
 * before the first is taken they are one.  That is a class of its own, though the call has two
 * objects already.
 *
 * RUN    [O2] plait test -s dfs
 * EXPECT clean complete classes=8
 *
 * RUN    [O2] plait test -s dpor
 * EXPECT clean complete classes=8
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int hits;
static FILE *file;
static int fd;

static void hit(int signal)
{
    (void)signal;
    atomic_fetch_add(&hits, 1);
}

static void *shorten(void *arg)
{
    return ftruncate(fd, 3) == 0 ? arg : NULL;
}

int main(void)
{
    pthread_t t;

    signal(SIGUSR1, hit);
    file = tmpfile();
    if (file == NULL)
        return 1;
    fd = fileno(file);
    pthread_create(&t, NULL, shorten, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return lseek(fd, 0, SEEK_END) != 3;
}
