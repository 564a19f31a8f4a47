/* SPDX-License-Identifier: MIT */
/*
 * A timer that is read through a descriptor, beside a thread that
 *
 *   looks   at the descriptor twice, without waiting: no time passes by that.  It goes off with
 *           the end of the wait for it, not when somebody looks at the clock;
 *   sleeps  before or after the timer is set, which counts from then on.
 *
 * RUN    plait test -s dpor -- looks
 * EXPECT clean incomplete classes=17 executions=18
 *
 * RUN    plait test -s dfs -- looks
 * EXPECT clean incomplete classes=17
 *
 * RUN    plait test -s dpor --time-outs any -- sleeps
 * EXPECT clean complete classes=7 executions=8
 *
 * RUN    plait test -s dfs --time-outs any -- sleeps
 * EXPECT clean complete classes=7
 */
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int timer;

static void *look(void *arg)
{
    struct pollfd p = {.fd = timer, .events = POLLIN};

    poll(&p, 1, 0);
    poll(&p, 1, 0);
    return arg;
}

static void *rest(void *arg)
{
    usleep(200);
    return arg;
}

int main(int argc, char **argv)
{
    const struct itimerspec soon = {.it_value.tv_nsec = 100000};
    uint64_t times = 0;
    pthread_t thread;

    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    pthread_create(&thread, NULL, argc > 1 && strcmp(argv[1], "looks") == 0 ? look : rest, NULL);
    timerfd_settime(timer, 0, &soon, NULL);
    ssize_t n = read(timer, &times, sizeof(times));

    pthread_join(thread, NULL);
    return n != sizeof(times) || times != 1;
}
