/* SPDX-License-Identifier: MIT */
/*
 * Free threads that wait in calls of all kinds: for a counter, for room in a pipe, for a time-out
 * of a socket, for a signal and a timer behind descriptors, at a high number.  Nobody hangs, and
 * what was recorded is replayed.
 *
 * RUN    plait test -s noise -n 5 --hang-time 20s
 * EXPECT clean
 *
 * RUN    -DBUG=1 plait test -s noise:priority -n 5 --hang-time 20s
 * EXPECT assertion
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { LARGE = 300000, HIGH = 1200 };

static int counter, pipe_fds[2], pair[2], high[2], signals;

static void *give(void *arg)
{
    static char large[LARGE];
    uint64_t one = 1;

    assert(write(counter, &one, sizeof(one)) == sizeof(one));
    assert(write(high[1], "x", 1) == 1);
    memset(large, 'a', sizeof(large));
    assert(write(pipe_fds[1], large, sizeof(large)) == sizeof(large));
    assert(send(pair[1], large, sizeof(large), 0) == sizeof(large));
    kill(getpid(), SIGUSR1);
    return arg;
}

static void *take(void *arg)
{
    static char large[LARGE];
    struct signalfd_siginfo info;
    uint64_t n = 0;
    size_t got = 0;
    char c;

    assert(read(counter, &n, sizeof(n)) == sizeof(n) && n == 1);
    assert(read(high[0], &c, 1) == 1 && c == 'x');
    while (got < LARGE) {
        ssize_t more = read(pipe_fds[0], large, sizeof(large) - got);

        assert(more > 0);
        got += (size_t)more;
    }
    assert(recv(pair[0], large, sizeof(large), MSG_WAITALL) == LARGE && large[LARGE - 1] == 'a');
    assert(read(signals, &info, sizeof(info)) == sizeof(info) && info.ssi_signo == SIGUSR1);
    return arg;
}

static void *wait_for_time(void *arg)
{
    struct timeval limit = {.tv_usec = 2000};
    struct itimerspec at = {0};
    int fd = timerfd_create(CLOCK_MONOTONIC, 0), quiet[2];
    uint64_t n = 0;
    char c;

    clock_gettime(CLOCK_MONOTONIC, &at.it_value);
    at.it_value.tv_sec += (at.it_value.tv_nsec + 2000000) / 1000000000;
    at.it_value.tv_nsec = (at.it_value.tv_nsec + 2000000) % 1000000000;
    assert(timerfd_settime(fd, TFD_TIMER_ABSTIME, &at, NULL) == 0);
    assert(read(fd, &n, sizeof(n)) == sizeof(n) && n == 1);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, quiet) == 0);
    assert(setsockopt(quiet[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) == 0);
    assert(recv(quiet[0], &c, 1, 0) == -1 && errno == EAGAIN);
    close(quiet[0]);
    close(quiet[1]);
    close(fd);
    return arg;
}

static void raise_limit(void)
{
    struct rlimit l;

    assert(getrlimit(RLIMIT_NOFILE, &l) == 0);
    if (l.rlim_cur <= 2 * HIGH && l.rlim_max > 2 * HIGH) {
        l.rlim_cur = 2 * HIGH + 1;
        assert(setrlimit(RLIMIT_NOFILE, &l) == 0);
    }
}

int main(void)
{
    pthread_t a, b, c;
    sigset_t set;
    int fds[2];

    raise_limit();
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signals = signalfd(-1, &set, 0);
    counter = eventfd(0, 0);
    assert(pipe(pipe_fds) == 0 && pipe(fds) == 0);
    high[0] = fcntl(fds[0], F_DUPFD, HIGH);
    high[1] = fcntl(fds[1], F_DUPFD, HIGH);
    assert(high[0] >= HIGH && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, give, NULL);
    pthread_create(&c, NULL, wait_for_time, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
#ifdef BUG
    assert(!"all of it has come");
#endif
    return 0;
}
