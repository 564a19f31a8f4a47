/* SPDX-License-Identifier: MIT */
/*
 * A timer behind a descriptor in a set of epoll, and a thread that writes to a pipe in the same
 * set: either may come first, no real time passes, and the clock agrees with the timer.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DSURE=1 plait test -s dpor
 * EXPECT assertion location~@sure
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#ifndef SURE
#define SURE 0
#endif

static int ends[2];

static void *send_one(void *arg)
{
    assert(write(ends[1], "x", 1) == 1);
    return arg;
}

int main(void)
{
    struct itimerspec soon = {.it_value = {.tv_nsec = 20000000}};
    struct epoll_event event = {.events = EPOLLIN}, got;
    int timer = timerfd_create(CLOCK_MONOTONIC, 0), set = epoll_create1(0), both = 0;
    pthread_t t;
    uint64_t times;
    char c;

    assert(timer >= 0 && set >= 0 && pipe(ends) == 0);
    event.data.fd = timer;
    assert(epoll_ctl(set, EPOLL_CTL_ADD, timer, &event) == 0);
    event.data.fd = ends[0];
    assert(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == 0);
    assert(timerfd_settime(timer, 0, &soon, NULL) == 0);
    pthread_create(&t, NULL, send_one, NULL);
    while (both != 3) {
        assert(epoll_wait(set, &got, 1, -1) == 1);
        if (got.data.fd == timer) {
            assert(read(timer, &times, sizeof(times)) == sizeof(times) && times == 1);
            assert(!SURE || both == 2); /* @sure */
            both |= 1;
        } else {
            assert(read(ends[0], &c, 1) == 1);
            both |= 2;
        }
    }
    pthread_join(t, NULL);
    return 0;
}
