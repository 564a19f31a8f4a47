/* SPDX-License-Identifier: MIT */
/*
 * One thread waits at a descriptor, the other closes its number or puts another file behind it, and
 * then does what the waiting one waits for.  A call that has begun goes on with the file that it
 * has; one that has not finds the number closed, or the other file.  Both happen.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=12
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=12
 *
 * RUN    plait test -s random -n 60
 * EXPECT clean
 *
 * RUN    plait test -s noise -n 40
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "orders.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>

static int ends[2], other[2], pair[2], set, file, listener;
static struct sockaddr_un name = {.sun_family = AF_UNIX};

static void begin(void)
{
    struct epoll_event event = {.events = EPOLLIN};

    signal(SIGPIPE, SIG_IGN);
    MUST(pipe(ends) == 0 && pipe(other) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    MUST(write(other[1], "o", 1) == 1);
    set = epoll_create1(0);
    MUST(set >= 0 && epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == 0);
}

/* ---- a pipe ---- */

static long take(void)
{
    char c = 0;

    return said(read(ends[0], &c, 1)) + c * 100;
}

/* Natively one of the two orders leaves nobody who reads. */
static long put(void)
{
    return said(write(ends[1], "x", 1));
}

ORDER(read_closed, begin(), return take(), close(ends[0]); return put())
ORDER(read_replaced, begin(), return take(), MUST(dup2(other[0], ends[0]) == ends[0]); return put())

static void fill(void)
{
    static char full[4096];

    begin();
    MUST(fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096 && write(ends[1], full, 4096) == 4096);
}

static long empty(void)
{
    static char full[4097];
    long n, sum = 0;

    while ((n = said(read(ends[0], full, sizeof(full)))) > 0)
        sum += n;
    return n < 0 ? n : sum;
}

ORDER(write_closed, fill(), return said(write(ends[1], "x", 1)), close(ends[1]); return empty())

/* ---- sockets ---- */

ORDER(receive_closed, begin(), char c; return said(recv(pair[0], &c, 1, 0)), close(pair[0]);
      return said(send(pair[1], "x", 1, MSG_NOSIGNAL)))
ORDER(receive_all, begin(), char c[4];
      return said(recv(pair[0], c, 4, MSG_WAITALL)), send(pair[1], "ab", 2, MSG_NOSIGNAL);
      close(pair[0]); return said(send(pair[1], "cd", 2, MSG_NOSIGNAL)))

static void start_to_listen(void)
{
    begin();
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(name.sun_path + 1, sizeof(name.sun_path) - 1, "waits-%07d", (int)getpid());
    MUST(bind(listener, (struct sockaddr *)&name, sizeof(name)) == 0 && listen(listener, 4) == 0);
}

ORDER(accept_closed, start_to_listen(), return said(accept(listener, NULL, NULL)) >= 0,
      close(listener);
      int fd = socket(AF_UNIX, SOCK_STREAM, 0);
      return said(connect(fd, (struct sockaddr *)&name, sizeof(name))))

/* ---- several at once ---- */

ORDER(poll_closed, begin(), struct pollfd p = {.fd = ends[0]}; p.events = POLLIN;
      MUST(poll(&p, 1, -1) == 1 && p.revents == POLLNVAL); return 0, close(ends[0]); return put())
ORDER(select_closed, begin(), fd_set in; FD_ZERO(&in); FD_SET(ends[0], &in);
      return said(select(ends[0] + 1, &in, NULL, NULL, NULL)), close(ends[0]); return put())
ORDER(epoll_closed, begin(), struct epoll_event e;
      return said(epoll_wait(set, &e, 1, -1)), close(set); return put())

/* ---- counters, timers, locks ---- */

static void have_counter(void)
{
    begin();
    file = eventfd(0, 0);
    set = dup(file);
}

static long count(void)
{
    uint64_t one = 1;

    return said(write(set, &one, sizeof(one)));
}

ORDER(counter_closed, have_counter(), uint64_t n;
      return said(read(file, &n, sizeof(n))), close(file); return count())
ORDER(timer_closed, begin(); file = timerfd_create(CLOCK_MONOTONIC, 0);
      struct itimerspec t = {.it_value.tv_nsec = 1000000};
      MUST(timerfd_settime(file, 0, &t, NULL) == 0), uint64_t n;
      return said(read(file, &n, sizeof(n))), return close(file))

static void lock_file(void)
{
    begin();
    file = open("waited.lock", O_RDWR | O_CREAT, 0600);
    set = open("waited.lock", O_RDWR);
    MUST(file >= 0 && set >= 0 && flock(set, LOCK_EX) == 0);
}

ORDER(lock_closed, lock_file(), return said(flock(file, LOCK_EX)), close(file);
      return said(flock(set, LOCK_UN)))

ORDERS(&order_read_closed, &order_read_replaced, &order_write_closed, &order_receive_closed,
       &order_receive_all, &order_accept_closed, &order_poll_closed, &order_select_closed,
       &order_epoll_closed, &order_counter_closed, &order_timer_closed, &order_lock_closed)
