/* SPDX-License-Identifier: MIT */
/*
 * Sockets, and calls that look at several descriptors at once.  Nobody waits: what is there is
 * there.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=27
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=27
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "orders.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>

static int pair[2], one, other, set, watch;
static struct sockaddr_un name;
static socklen_t name_size;

static void open_pair(void)
{
    struct epoll_event event = {.events = EPOLLIN};

    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    set = epoll_create1(0);
    MUST(set >= 0 && epoll_ctl(set, EPOLL_CTL_ADD, pair[0], &event) == 0);
}

/* A name of this execution's own, by the number of its first socket's inode. */
static void open_named(void)
{
    struct stat st;

    one = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    other = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    MUST(one >= 0 && other >= 0 && fstat(one, &st) == 0);
    memset(&name, 0, sizeof(name));
    name.sun_family = AF_UNIX;
    snprintf(name.sun_path + 1, sizeof(name.sun_path) - 1, "%lu", (unsigned long)st.st_ino);
    name_size = (socklen_t)(sizeof(sa_family_t) + 1 + strlen(name.sun_path + 1));
}

static long bind_it(int fd)
{
    return said(bind(fd, (struct sockaddr *)&name, name_size));
}

static long connect_it(int fd)
{
    return said(connect(fd, (struct sockaddr *)&name, name_size));
}

static void open_bound(void)
{
    open_named();
    MUST(bind_it(one) == 0);
}

static void open_listening(void)
{
    open_bound();
    MUST(listen(one, 4) == 0);
}

static long got(long result)
{
    return result < 0 ? -errno : 1;
}

static long put(void)
{
    return send(pair[1], "x", 1, 0);
}

static long get(void)
{
    char c;

    return said(recv(pair[0], &c, 1, MSG_DONTWAIT));
}

static struct pollfd asked(void)
{
    return (struct pollfd){.fd = pair[0], .events = POLLIN};
}

static char letter[1] = "x";
#define MESSAGE                                          \
    struct iovec v = {.iov_base = letter, .iov_len = 1}; \
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};  \
    struct mmsghdr many = {.msg_hdr = m}
#define OWN_MESSAGE                                     \
    char c;                                             \
    struct iovec v = {.iov_base = &c, .iov_len = 1};    \
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1}; \
    struct mmsghdr many = {.msg_hdr = m}

ORDER(accept, open_listening(), return got(syscall(SYS_accept, one, NULL, NULL)),
      return connect_it(other))
ORDER(accept4, open_listening(), return got(accept4(one, NULL, NULL, 0)), return connect_it(other))
ORDER(connect, open_listening(), return connect_it(other), return got(accept(one, NULL, NULL)))
ORDER(bind, open_named(), return bind_it(one), return bind_it(other))
ORDER(listen, open_bound(), return listen(one, 4), return connect_it(other))
ORDER(shutdown, open_pair(), return shutdown(pair[0], SHUT_RD),
      return said(send(pair[1], "x", 1, MSG_NOSIGNAL)))
ORDER(sendto, open_pair(), return put(), return get())
ORDER(sendmsg, open_pair(), MESSAGE; (void)many; return sendmsg(pair[1], &m, 0), return get())
ORDER(sendmmsg, open_pair(), MESSAGE; return sendmmsg(pair[1], &many, 1, 0), return get())
ORDER(recvfrom, open_pair(), return get(), return put())
ORDER(recvmsg, open_pair(), OWN_MESSAGE; (void)many;
      return said(recvmsg(pair[0], &m, MSG_DONTWAIT)), return put())
ORDER(recvmmsg, open_pair(), OWN_MESSAGE;
      return said(recvmmsg(pair[0], &many, 1, MSG_DONTWAIT, NULL)), return put())
ORDER(setsockopt, open_pair(), int on = 1;
      return setsockopt(pair[0], SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on)), int on = -1;
      socklen_t n = sizeof(on); getsockopt(pair[0], SOL_SOCKET, SO_KEEPALIVE, &on, &n); return on)
ORDER(getsockopt, open_named(), int on = -1; socklen_t n = sizeof(on);
      getsockopt(one, SOL_SOCKET, SO_ACCEPTCONN, &on, &n);
      return on, return bind_it(one) + listen(one, 1))
ORDER(getsockname, open_named(), struct sockaddr_un at; socklen_t n = sizeof(at);
      getsockname(one, (struct sockaddr *)&at, &n);
      return n > sizeof(sa_family_t), return bind_it(one))
ORDER(getpeername, open_listening(), struct sockaddr_un at; socklen_t n = sizeof(at);
      return said(getpeername(other, (struct sockaddr *)&at, &n)), return connect_it(other))

ORDER(poll, open_pair(), struct pollfd p = asked();
      return syscall(SYS_poll, &p, 1, 0), return put())
ORDER(ppoll, open_pair(), struct pollfd p = asked();
      return ppoll(&p, 1, &(struct timespec){0}, NULL), return put())
ORDER(select, open_pair(), fd_set in; FD_ZERO(&in); FD_SET(pair[0], &in);
      return syscall(SYS_select, pair[0] + 1, &in, NULL, NULL, &(struct timeval){0}), return put())
ORDER(pselect6, open_pair(), fd_set in; FD_ZERO(&in); FD_SET(pair[0], &in);
      return pselect(pair[0] + 1, &in, NULL, NULL, &(struct timespec){0}, NULL), return put())
ORDER(epoll_wait, open_pair(), struct epoll_event e;
      return syscall(SYS_epoll_wait, set, &e, 1, 0), return put())
ORDER(epoll_pwait, open_pair(), struct epoll_event e;
      return epoll_pwait(set, &e, 1, 0, NULL), return put())
ORDER(epoll_ctl, open_pair();
      put(), return epoll_ctl(set, EPOLL_CTL_DEL, pair[0], NULL), struct epoll_event e;
      return epoll_wait(set, &e, 1, 0))
ORDER(timerfd_settime, one = timerfd_create(CLOCK_MONOTONIC, 0),
      struct itimerspec t = {.it_value.tv_sec = 9};
      return timerfd_settime(one, 0, &t, NULL), struct itimerspec t; timerfd_gettime(one, &t);
      return t.it_value.tv_sec > 0)
ORDER(timerfd_gettime, one = timerfd_create(CLOCK_MONOTONIC, 0), struct itimerspec t;
      timerfd_gettime(one, &t);
      return t.it_interval.tv_sec, struct itimerspec t = {.it_value.tv_sec = 9};
      t.it_interval.tv_sec = 5; return timerfd_settime(one, 0, &t, NULL))

static void open_watch(void)
{
    rmdir("folder/in");
    rmdir("folder");
    one = inotify_init1(IN_NONBLOCK);
    MUST(one >= 0 && mkdir("folder", 0700) == 0);
}

/* Something happens in the folder: what is known of it. */
static long happens(void)
{
    int n = -1;

    MUST(mkdir("folder/in", 0700) == 0 && ioctl(one, FIONREAD, &n) == 0);
    return n;
}

ORDER(inotify_add_watch, open_watch(), return inotify_add_watch(one, "folder", IN_CREATE) > 0,
      return happens())
ORDER(inotify_rm_watch, open_watch(); watch = inotify_add_watch(one, "folder", IN_CREATE),
                                      return inotify_rm_watch(one, watch), return happens())

ORDERS(&order_accept, &order_accept4, &order_connect, &order_bind, &order_listen, &order_shutdown,
       &order_sendto, &order_sendmsg, &order_sendmmsg, &order_recvfrom, &order_recvmsg,
       &order_recvmmsg, &order_setsockopt, &order_getsockopt, &order_getsockname,
       &order_getpeername, &order_poll, &order_ppoll, &order_select, &order_pselect6,
       &order_epoll_wait, &order_epoll_pwait, &order_epoll_ctl, &order_timerfd_settime,
       &order_timerfd_gettime, &order_inotify_add_watch, &order_inotify_rm_watch)
