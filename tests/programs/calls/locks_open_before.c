/* SPDX-License-Identifier: MIT */
/*
 * A lock that belongs to an open file is taken before the first thread, and given up beside one
 * that waits for it.  Each execution has it again: a signal may find the thread in its call.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion
 *
 * RUN    plait test -s dfs
 * EXPECT assertion
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static int held, wanted;

static int set_lock(int fd, short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_len = 1};

    return fcntl(fd, F_OFD_SETLKW, &lock);
}

static void handle(int signo)
{
    (void)signo;
}

static void *wait_for_it(void *arg)
{
    assert(set_lock(wanted, F_WRLCK) == 0);
    return arg;
}

int main(void)
{
    char path[] = "/tmp/plait-lock-XXXXXX";
    struct sigaction action = {.sa_handler = handle};
    pthread_t t;

    sigaction(SIGUSR1, &action, NULL);
    held = mkstemp(path);
    wanted = open(path, O_RDWR);
    unlink(path);
    assert(set_lock(held, F_WRLCK) == 0);
    pthread_create(&t, NULL, wait_for_it, NULL);
    pthread_kill(t, SIGUSR1);
    set_lock(held, F_UNLCK);
    pthread_join(t, NULL);
    return 0;
}
