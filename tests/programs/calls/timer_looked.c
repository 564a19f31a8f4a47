/* SPDX-License-Identifier: MIT */
/*
 * Whoever reads a timer without waiting for it may find that its time is over, if the processor
 * was somebody else's for long enough.  That is not searched, and said.  One that has gone off, and
 * one that is not set, are the same whenever they are read.
 *
 * RUN    plait test -s dpor -- early
 * EXPECT clean incomplete exit=0
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static void *nothing(void *arg)
{
    return arg;
}

int main(int argc, char **argv)
{
    struct itimerspec later = {.it_value = {.tv_nsec = 1000}};
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct pollfd p = {.fd = fd, .events = POLLIN};
    pthread_t t;
    uint64_t n;

    (void)argv;
    pthread_create(&t, NULL, nothing, NULL);
    assert(read(fd, &n, sizeof(n)) == -1 && errno == EAGAIN);
    timerfd_settime(fd, 0, &later, NULL);
    if (argc > 1) {
        assert(read(fd, &n, sizeof(n)) == -1 && errno == EAGAIN);
    } else {
        assert(poll(&p, 1, -1) == 1);
        assert(read(fd, &n, sizeof(n)) == (ssize_t)sizeof(n) && n == 1);
        assert(read(fd, &n, sizeof(n)) == -1 && errno == EAGAIN);
    }
    pthread_join(t, NULL);
    return 0;
}
