/* SPDX-License-Identifier: MIT */
/*
 * What a timer has sent and nobody has taken is forgotten with it, by kernels that do so, as this
 * program knows.  -DLOOKS: whether a timer has gone off when somebody looks without waiting is a
 * matter of the time that has passed for others; that is not searched, and said.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DLOOKS plait test -s dpor
 * EXPECT clean incomplete ended~but.for.*looks.at.a.timer.before.its.time
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static struct itimerspec soon = {.it_value.tv_nsec = 100000};

static void *nothing(void *arg)
{
    return arg;
}

#ifdef LOOKS
static int use_timer(void)
{
    struct pollfd look = {.fd = timerfd_create(CLOCK_MONOTONIC, 0), .events = POLLIN};

    timerfd_settime(look.fd, 0, &soon, NULL);
    return poll(&look, 1, 0) < 0;
}
#else
static int use_timer(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct timespec zero = {0};
    struct utsname name;
    int major = 0, minor = 0;
    timer_t timer;
    sigset_t set;

    uname(&name);
    sscanf(name.release, "%d.%d", &major, &minor);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &soon, NULL);
    while (timer_gettime(timer, &soon), soon.it_value.tv_nsec != 0)
        usleep(1000);
    timer_delete(timer);
    return (sigtimedwait(&set, NULL, &zero) < 0) != (major > 6 || (major == 6 && minor >= 13));
}
#endif

int main(void)
{
    pthread_t thread;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, nothing, NULL);
    int wrong = use_timer();

    pthread_join(thread, NULL);
    return wrong;
}
