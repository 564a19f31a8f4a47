/* SPDX-License-Identifier: MIT */
/*
 * A descriptor for signals shows a thread what was sent to it or to the process, and not what was
 * sent to another thread.  So the thread waits until its own comes, though main has one as well,
 * and whoever only looks may find it there or not.  With -DTAKE it is read in pieces.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DTAKE=readv(fd,pieces,2) plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DTAKE=preadv2(fd,pieces,2,-1,0) plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DTAKE=readv(fd,pieces,2) plait test -s dpor -- other
 * EXPECT deadlock
 *
 * RUN    plait test -s dpor -- look
 * EXPECT assertion
 *
 * RUN    plait test -s dpor -- poll
 * EXPECT assertion
 *
 * RUN    plait test -s dpor -- other
 * EXPECT deadlock
 */
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef TAKE
#define TAKE read(fd, &got, sizeof(got))
#endif

static int fd;
static const char *how = "wait";

static void *take(void *arg)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    struct signalfd_siginfo got = {0};
    struct iovec pieces[2] = {{&got, 3}, {(char *)&got + 3, sizeof(got) - 3}};

    if (strcmp(how, "poll") == 0)
        assert(poll(&p, 1, 0) == 1);
    else
        assert(TAKE == (ssize_t)sizeof(got) && got.ssi_signo == SIGUSR1 && pieces[0].iov_len == 3);
    if (strcmp(how, "wait") == 0)
        assert(poll(&p, 1, 0) == 0);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;
    sigset_t set;

    if (argc > 1)
        how = argv[1];
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    fd = signalfd(-1, &set, strcmp(how, "look") == 0 ? SFD_NONBLOCK : 0);
    pthread_create(&t, NULL, take, NULL);
    pthread_kill(pthread_self(), SIGUSR1);
    if (strcmp(how, "other") != 0)
        pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
