/* SPDX-License-Identifier: MIT */
/*
 * Opening a file for writing waits until whoever has a lease on it gives that up, and the kernel
 * cannot be asked whether it would: another OS thread makes the call, while the others go on.  A
 * handler ends the wait, and so does a cancellation.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=opened
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=opened
 *
 * RUN    -DEND=1 plait test -s dpor --outputs
 * EXPECT clean complete outputs=opened,interrupted
 *
 * RUN    -DEND=2 plait test -s dpor --outputs
 * EXPECT clean complete outputs=cancelled
 *
 * RUN    -DEND=3 plait test -s dfs -n 1 --hang-time=500ms
 * EXPECT hang exit=1 replay=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <plait.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef END
#define END 0 /* 1: a signal comes; 2: a cancellation; 3: nobody gives the lease up */
#endif

static char name[] = "/tmp/leaseXXXXXX";
static const char *came_to = "opened";

static void handle(int signo)
{
    (void)signo;
}

static void *opener(void *arg)
{
    int fd = open(name, O_WRONLY);

    if (fd < 0) {
        assert(errno == EINTR);
        came_to = "interrupted";
    } else {
        close(fd);
    }
    return arg;
}

static int leased_file(void)
{
    int fd = mkstemp(name);

    assert(fd >= 0 && close(fd) == 0);
    fd = open(name, O_RDONLY);
    assert(fd >= 0 && fcntl(fd, F_SETLEASE, F_RDLCK) == 0);
    return fd;
}

int main(void)
{
    const struct sigaction action = {.sa_handler = handle};
    void *result;
    pthread_t other;

    plait_begin();
    signal(SIGIO, SIG_IGN);
    sigaction(SIGUSR1, &action, NULL);
    int fd = leased_file();

    pthread_create(&other, NULL, opener, NULL);
    if (END == 1)
        pthread_kill(other, SIGUSR1);
    if (END == 2)
        pthread_cancel(other);
    if (END < 3)
        assert(fcntl(fd, F_SETLEASE, F_UNLCK) == 0);
    pthread_join(other, &result);
    unlink(name);
    puts(result == PTHREAD_CANCELED ? "cancelled" : came_to);
    return 0;
}
