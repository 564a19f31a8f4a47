/* SPDX-License-Identifier: MIT */
/* An event loop with a time-out and an eventfd that ends it.  EXPECT clean */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
static int ep, ev;
static int idle;
static void *loop(void *a)
{
    for (;;) {
        struct epoll_event e;
        int n = epoll_wait(ep, &e, 1, 10);
        if (!n) {
            idle++;
            continue;
        }
        uint64_t v;
        if (read(ev, &v, 8) != 8)
            abort();
        if (v >= 100)
            return a;
    }
}
int main(void)
{
    ep = epoll_create1(0);
    ev = eventfd(0, 0);
    struct epoll_event e = {.events = EPOLLIN};
    epoll_ctl(ep, EPOLL_CTL_ADD, ev, &e);
    pthread_t t;
    pthread_create(&t, 0, loop, 0);
    uint64_t v = 1;
    if (write(ev, &v, 8) != 8)
        abort();
    usleep(25000);
    v = 100;
    if (write(ev, &v, 8) != 8)
        abort();
    pthread_join(t, 0);
    close(ep);
    close(ev);
    return 0;
}
