/* SPDX-License-Identifier: MIT */
/*
 * A loop that does nothing but look whether a timer has gone off, or what the time is, comes to the
 * moment: looking takes time, by whatever call.
 *
 * RUN    -DREADS plait test -n 3
 * EXPECT clean
 *
 * RUN    -DPOLLS plait test -n 3
 * EXPECT clean
 *
 * RUN    -DCOUNTS plait test -n 3
 * EXPECT clean
 *
 * RUN    -DASKS plait test -n 3
 * EXPECT clean
 *
 * RUN    -DMILLISECONDS -Wno-deprecated-declarations plait test -n 3
 * EXPECT clean
 */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timeb.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SOON (&(const struct itimerspec){.it_value.tv_nsec = 5000000})

#ifdef ASKS
static timer_t timer;
static void start(void)
{
    struct sigevent nobody = {.sigev_notify = SIGEV_NONE};

    timer_create(CLOCK_MONOTONIC, &nobody, &timer);
    timer_settime(timer, 0, SOON, NULL);
}
static bool is_over(void)
{
    struct itimerspec left;

    timer_gettime(timer, &left);
    return left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0;
}
#elif defined(MILLISECONDS)
static struct timeb began;
static void start(void)
{
    ftime(&began);
}
static bool is_over(void)
{
    struct timeb now;

    ftime(&now);
    return (now.time - began.time) * 1000 + now.millitm - began.millitm >= 50;
}
#else
static int fd, set;
static void start(void)
{
    struct epoll_event wanted = {.events = EPOLLIN};

    fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    set = epoll_create1(0);
    epoll_ctl(set, EPOLL_CTL_ADD, fd, &wanted);
    timerfd_settime(fd, 0, SOON, NULL);
}
static bool is_over(void)
{
#ifdef READS
    uint64_t n;

    if (read(fd, &n, sizeof(n)) == sizeof(n))
        return true;
    assert(errno == EAGAIN);
    sched_yield();
    return false;
#elif defined(POLLS)
    struct pollfd p = {.fd = fd, .events = POLLIN};

    return poll(&p, 1, 0) == 1;
#else
    static atomic_int looks;
    struct epoll_event e;

    atomic_fetch_add(&looks, 1);
    return epoll_wait(set, &e, 1, 0) == 1;
#endif
}
#endif

static void *look(void *a)
{
    while (!is_over())
        ;
    return a;
}

int main(void)
{
    pthread_t t;

    start();
    pthread_create(&t, NULL, look, NULL);
    pthread_join(t, NULL);
    return 0;
}
