/* SPDX-License-Identifier: MIT */
/* A timer behind a descriptor that is polled, until told to stop.  EXPECT clean */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>
static atomic_int stop, ticks;
static void *f(void *a)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec s = {{0, 10000000}, {0, 10000000}};
    timerfd_settime(fd, 0, &s, 0);
    while (!stop) {
        struct pollfd p = {fd, POLLIN, 0};
        if (poll(&p, 1, 50) == 1) {
            uint64_t v;
            if (read(fd, &v, 8) == 8)
                ticks++;
        }
    }
    close(fd);
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    while (ticks < 3)
        usleep(5000);
    stop = 1;
    pthread_join(t, 0);
    return 0;
}
