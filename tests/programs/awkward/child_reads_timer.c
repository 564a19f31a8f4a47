/* SPDX-License-Identifier: MIT */
/*
 * A child reads descriptors that its parent has made: a timer, which goes off for it while the
 * parent waits for its end, also through a set of epoll, and which it may set anew; and one for
 * signals, from which it reads its own, sent by the parent under the number that it knows.
 *
 * RUN    plait test -s random -n 5
 * EXPECT clean
 *
 * RUN    plait test -s random -n 3 --restart exec
 * EXPECT clean restart=exec
 *
 * RUN    plait test -s random -n 3 --carrier thread
 * EXPECT clean
 *
 * RUN    plait test -s random --follow-children -n 5
 * EXPECT clean executions=5
 *
 * RUN    plait test -s noise -n 3
 * EXPECT clean executions=3
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MILLISECOND = 1000000 };

static pid_t self;

/* 0: all is as it should be. */
static int use_timer(int timer, int set)
{
    const struct itimerspec once = {.it_value.tv_nsec = 3 * MILLISECOND};
    struct itimerspec left;
    struct epoll_event event;
    uint64_t times = 0;

    if (epoll_wait(set, &event, 1, -1) != 1)
        return 1;
    if (timerfd_gettime(timer, &left) != 0 || left.it_interval.tv_nsec != 5 * MILLISECOND)
        return 2;
    for (int i = 0; i < 2; i++) {
        if (read(timer, &times, sizeof(times)) != sizeof(times) || times == 0)
            return 3;
    }
    if (timerfd_settime(timer, 0, &once, NULL) != 0 ||
        read(timer, &times, sizeof(times)) != sizeof(times) || times != 1)
        return 4;
    return 0;
}

static int use_signals(int signals)
{
    struct signalfd_siginfo info;
    struct pollfd p = {.fd = signals, .events = POLLIN};

    kill(getpid(), SIGUSR1);
    if (poll(&p, 1, -1) != 1 || read(signals, &info, sizeof(info)) != sizeof(info) ||
        info.ssi_signo != SIGUSR1 || info.ssi_pid != (uint32_t)getpid())
        return 5;
    kill(getppid(), SIGUSR1);
    if (read(signals, &info, sizeof(info)) != sizeof(info) || info.ssi_signo != SIGUSR2 ||
        info.ssi_pid != (uint32_t)self)
        return 6;
    return 0;
}

static void *run(void *arg)
{
    const struct itimerspec often = {.it_value.tv_nsec = 20 * MILLISECOND,
                                     .it_interval.tv_nsec = 5 * MILLISECOND};
    int signals = signalfd(-1, arg, SFD_CLOEXEC), status, wrong;
    int timer = timerfd_create(CLOCK_MONOTONIC, 0), set = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    struct signalfd_siginfo info;

    epoll_ctl(set, EPOLL_CTL_ADD, timer, &event);
    timerfd_settime(timer, 0, &often, NULL);
    pid_t child = fork();

    if (child == 0) {
        wrong = use_timer(timer, set);
        _exit(wrong != 0 ? wrong : use_signals(signals));
    }
    assert(read(signals, &info, sizeof(info)) == sizeof(info) && info.ssi_pid == (uint32_t)child);
    assert(kill(child, SIGUSR2) == 0 && waitpid(child, &status, 0) == child);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    sigset_t signals;

    self = getpid();
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    sigaddset(&signals, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    pthread_create(&t, NULL, run, &signals);
    pthread_join(t, NULL);
    return 0;
}
