/* SPDX-License-Identifier: MIT */
/*
 * What an operation depends on is known where it was performed.  A call by name is about a file
 * only if there is one by then, a signal that is ignored makes no difference to its target, and
 * who takes a signal does something else before that is sent.  So what is led there for an order
 * may turn out to be in a class that there was already: none is executed twice.
 *
 * RUN    plait test -s hapset:then=dpor
 * EXPECT clean complete classes=14 executions=15
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=14
 *
 * RUN    -DIGNORED plait test -s hapset:then=dpor
 * EXPECT clean complete classes=4
 *
 * RUN    -DIGNORED plait test -s dpor
 * EXPECT clean complete classes=4
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_t first, other;

#ifdef IGNORED
static void handle(int signo)
{
    (void)signo;
}

static void *run(void *arg)
{
    signal(SIGUSR1, SIG_IGN);
    pthread_kill(first, SIGUSR1);
    signal(SIGUSR1, handle);
    return arg;
}

static void act(void)
{
    pthread_kill(other, SIGUSR1);
}
#else
static char folder[] = "foundXXXXXX", a[32], b[32];

static void *make(void *arg)
{
    assert(mkdtemp(folder) != NULL);
    snprintf(a, sizeof(a), "%s/a", folder);
    snprintf(b, sizeof(b), "%s/b", folder);
    return arg;
}

static void *run(void *arg)
{
    struct stat s;

    (void)!link(b, a);
    int fd = open(b, O_RDONLY);

    if (fd >= 0)
        close(fd);
    stat(b, &s);
    return arg;
}

static void act(void)
{
    int fd = open(a, O_CREAT | O_TRUNC | O_WRONLY, 0600);

    assert(fd >= 0 && write(fd, "a", 1) == 1);
    close(fd);
    rename(a, b);
}
#endif

int main(void)
{
    first = pthread_self();
#ifdef IGNORED
    signal(SIGUSR1, handle);
#else
    pthread_create(&other, NULL, make, NULL);
    pthread_join(other, NULL);
#endif
    pthread_create(&other, NULL, run, NULL);
    act();
    pthread_join(other, NULL);
#ifndef IGNORED
    unlink(a);
    unlink(b);
    rmdir(folder);
#endif
    return 0;
}
