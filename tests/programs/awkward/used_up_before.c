/* SPDX-License-Identifier: MIT */
/*
 * Sockets, and a set of descriptors to watch, made before the root and used up
 * during the execution by calls of all kinds: a connection that waits, a message
 * that waits, a name that can be given once, an event that is told once, or was, or
 * was while another was not.  A fork shares them with the next execution, so the program starts
 * anew for each.
 *
 * RUN    plait test -s random -n 20 -- accept4
 * EXPECT clean executions=20 restart=exec why~socket
 *
 * RUN    plait test -s random -n 20 --restart fork -- accept4
 * EXPECT refused
 *
 * RUN    plait test -s random -n 20 -- bind
 * EXPECT clean executions=20 restart=exec why~socket
 *
 * RUN    plait test -s random -n 20 --restart fork -- bind
 * EXPECT refused
 *
 * RUN    plait test -s random -n 20 -- recvmmsg
 * EXPECT clean executions=20 restart=exec why~socket
 *
 * RUN    plait test -s random -n 20 --restart fork -- recvmmsg
 * EXPECT refused
 *
 * RUN    plait test -s random -n 20 --restart fork -- sendmmsg
 * EXPECT refused
 *
 * RUN    plait test -s random -n 20 -- epoll_pwait
 * EXPECT clean executions=20 restart=rollback
 *
 * RUN    plait test -s random -n 20 --restart fork -- epoll_pwait
 * EXPECT clean executions=20 restart=fork
 *
 * RUN    plait test -s random -n 20 -- edge
 * EXPECT clean executions=20 restart=rollback
 *
 * RUN    plait test -s random -n 5 --restart fork -- edge
 * EXPECT clean executions=5 restart=fork
 *
 * RUN    plait test -s random -n 20 -- edges
 * EXPECT clean executions=20 restart=rollback
 *
 * RUN    plait test -s random -n 20 --restart fork -- timerfd
 * EXPECT clean executions=20 restart=fork
 *
 * RUN    plait test -s random -n 20 --restart exec -- accept4
 * EXPECT clean restart=exec same=1
 *
 * RUN    native accept4
 * EXPECT exit=0
 *
 * RUN    native bind
 * EXPECT exit=0
 *
 * RUN    native recvmmsg
 * EXPECT exit=0
 *
 * RUN    native sendmmsg
 * EXPECT exit=0
 *
 * RUN    native epoll_pwait
 * EXPECT exit=0
 *
 * RUN    native timerfd
 * EXPECT exit=0
 *
 * RUN    native accept4 twice
 * EXPECT exit=134 location~@fresh
 *
 * RUN    native recvmmsg twice
 * EXPECT exit=134 location~@fresh
 *
 * RUN    native epoll_pwait twice
 * EXPECT exit=134 location~@fresh
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

static const char *what;
static int listener, unnamed, pair[2], set, timer, edges, counter, some, later;
static atomic_int turn;

/* Only the family: the kernel finds a name that is free. */
static int name(int fd)
{
    const struct sockaddr_un un = {.sun_family = AF_UNIX};

    return bind(fd, (const struct sockaddr *)&un, sizeof(un.sun_family));
}

static void prepare(void)
{
    struct sockaddr_un own;
    socklen_t size = sizeof(own);
    int client = socket(AF_UNIX, SOCK_STREAM, 0);
    struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT};

    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    unnamed = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(name(listener) == 0 && listen(listener, 1) == 0);
    assert(getsockname(listener, (struct sockaddr *)&own, &size) == 0);
    assert(connect(client, (struct sockaddr *)&own, size) == 0);
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0 && write(pair[1], "x", 1) == 1);
    set = epoll_create1(0);
    assert(epoll_ctl(set, EPOLL_CTL_ADD, pair[0], &event) == 0);
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    event.events = EPOLLIN | EPOLLET;
    edges = epoll_create1(0);
    counter = eventfd(1, 0);
    assert(epoll_ctl(edges, EPOLL_CTL_ADD, counter, &event) == 0);
    assert(epoll_wait(edges, &event, 1, 0) == 1);
    some = epoll_create1(0);
    event = (struct epoll_event){.events = EPOLLIN | EPOLLET};
    assert(epoll_ctl(some, EPOLL_CTL_ADD, eventfd(1, 0), &event) == 0);
    assert(epoll_wait(some, &event, 1, 0) == 1);
    later = eventfd(1, 0);
    event = (struct epoll_event){.events = EPOLLIN | EPOLLET, .data.fd = later};
    assert(epoll_ctl(some, EPOLL_CTL_ADD, later, &event) == 0);
}

/* Whether what was prepared is still there. */
static int use(void)
{
    char letter = 'y';
    struct iovec v = {&letter, 1};
    struct mmsghdr message = {.msg_hdr = {.msg_iov = &v, .msg_iovlen = 1}};
    struct itimerspec at = {.it_value = {1000, 0}};
    struct epoll_event event, both[2];

    if (strcmp(what, "accept4") == 0)
        return accept4(listener, NULL, NULL, SOCK_CLOEXEC) >= 0;
    if (strcmp(what, "bind") == 0)
        return name(unnamed) == 0;
    if (strcmp(what, "recvmmsg") == 0)
        return recvmmsg(pair[0], &message, 1, MSG_DONTWAIT, NULL) == 1;
    if (strcmp(what, "sendmmsg") == 0)
        return sendmmsg(pair[1], &message, 1, MSG_DONTWAIT) == 1;
    if (strcmp(what, "epoll_pwait") == 0)
        return epoll_pwait(set, &event, 1, 0, NULL) == 1;
    if (strcmp(what, "edge") == 0)
        return epoll_wait(edges, &event, 1, 0) == 0 && eventfd_write(counter, 1) == 0 &&
               epoll_wait(edges, &event, 1, 0) == 1;
    if (strcmp(what, "edges") == 0)
        return epoll_wait(some, both, 2, 0) == 1 && both[0].data.fd == later;
    return timerfd_settime(timer, 0, &at, NULL) == 0;
}

static void *thread(void *arg)
{
    turn++;
    return arg;
}

static void execution(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    turn++;
    assert(use()); /* @fresh */
    assert(pthread_join(t, NULL) == 0);
}

int main(int argc, char **argv)
{
    what = argc > 1 ? argv[1] : "accept4";
    prepare();
    execution();
    if (argc > 2)
        execution();
    return 0;
}
