/* SPDX-License-Identifier: MIT */
/*
 * A timer behind a descriptor is set while others wait for it already: by reading, by poll(), in a
 * set of epoll.  Two that read one timer each get some of its times.
 *
 * RUN    plait test -s random -n 40
 * EXPECT clean executions=40
 *
 * RUN    plait test -s random -n 5 --restart fork
 * EXPECT clean restart=fork
 *
 * RUN    plait test -s random -n 3 --restart exec
 * EXPECT clean restart=exec
 *
 * RUN    plait test -s random -n 5 --carrier thread
 * EXPECT clean executions=5
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int timers[3], set, shared;
static _Atomic int seen;

static void *wait_reading(void *arg)
{
    uint64_t times;

    assert(read(timers[0], &times, sizeof(times)) == sizeof(times) && times >= 1);
    return arg;
}

static void *wait_polling(void *arg)
{
    struct pollfd p = {timers[1], POLLIN, 0};

    assert(poll(&p, 1, -1) == 1 && p.revents == POLLIN);
    return arg;
}

static void *wait_in_set(void *arg)
{
    struct epoll_event e;

    assert(epoll_wait(set, &e, 1, -1) == 1 && e.data.fd == timers[2]);
    return arg;
}

static void *take_some(void *arg)
{
    uint64_t times;

    while (seen < 3) {
        assert(read(shared, &times, sizeof(times)) == sizeof(times) && times >= 1);
        seen++;
    }
    return arg;
}

int main(void)
{
    void *(*const waits[])(void *) = {wait_reading, wait_polling, wait_in_set, take_some,
                                      take_some};
    const struct itimerspec once = {.it_value.tv_sec = 2};
    const struct itimerspec often = {.it_value.tv_nsec = 1000000, .it_interval.tv_nsec = 1000000};
    pthread_t t[5];

    for (int i = 0; i < 3; i++)
        timers[i] = timerfd_create(CLOCK_MONOTONIC, 0);
    shared = timerfd_create(CLOCK_MONOTONIC, 0);
    set = epoll_create1(0);
    struct epoll_event e = {.events = EPOLLIN, .data.fd = timers[2]};

    assert(epoll_ctl(set, EPOLL_CTL_ADD, timers[2], &e) == 0);
    for (int i = 0; i < 5; i++)
        pthread_create(&t[i], NULL, waits[i], NULL);
    for (int i = 0; i < 3; i++)
        assert(timerfd_settime(timers[i], 0, &once, NULL) == 0);
    assert(timerfd_settime(shared, 0, &often, NULL) == 0);
    for (int i = 0; i < 5; i++)
        pthread_join(t[i], NULL);
    return 0;
}
