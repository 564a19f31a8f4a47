/* SPDX-License-Identifier: MIT */
/*
 * What a call looks up besides the descriptor that it is given: to whom a path leads, which
 * descriptors go along with a message, whom another one is the second number of.  And descriptors
 * that are made by calls about others.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=6
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=6
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "orders.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>

static int pair[2], one, other;
static struct sockaddr_un name = {AF_UNIX, "looked.up"};

static void open_pair(void)
{
    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
}

static void open_by(int type)
{
    unlink(name.sun_path);
    one = socket(AF_UNIX, type, 0);
    other = socket(AF_UNIX, type, 0);
    MUST(one >= 0 && other >= 0 && bind(one, (struct sockaddr *)&name, sizeof(name)) == 0);
}

static void open_listening(void)
{
    open_by(SOCK_STREAM);
    MUST(listen(one, 4) == 0);
}

static long connect_it(void)
{
    return said(connect(other, (struct sockaddr *)&name, sizeof(name)));
}

static long send_it(void)
{
    return said(sendto(other, "x", 1, 0, (struct sockaddr *)&name, sizeof(name)));
}

static long pass(int number)
{
    char byte = 0;
    struct iovec v = {&byte, 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr head;
    } control = {.head = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};

    memcpy(CMSG_DATA(&control.head), &number, sizeof(number));
    return said(sendmsg(pair[1], &m, 0));
}

static long take(void)
{
    struct signalfd_siginfo info;

    return said(read(one, &info, sizeof(info)));
}

static void open_signals(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    MUST(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    one = signalfd(-1, &set, SFD_NONBLOCK);
    MUST(one >= 0 && kill(getpid(), SIGUSR1) == 0);
}

static long take_none_there(void)
{
    sigset_t none;

    sigemptyset(&none);
    return signalfd(one, &none, SFD_NONBLOCK) == one;
}

/* Its other end comes of an ioctl(). */
static void open_terminal(void)
{
    one = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    MUST(one >= 0 && grantpt(one) == 0 && unlockpt(one) == 0);
    other = ioctl(one, TIOCGPTPEER, O_RDWR | O_NOCTTY);
    MUST(other >= 0);
}

/* Both ends have one size. */
static long resize(int fd)
{
    return ioctl(fd, TIOCSWINSZ, &(struct winsize){.ws_row = 7});
}

static long rows(int fd)
{
    struct winsize size;

    MUST(ioctl(fd, TIOCGWINSZ, &size) == 0);
    return size.ws_row;
}

ORDER(connect_name, open_listening(), return connect_it(), return unlink(name.sun_path))
ORDER(sendto_name, open_by(SOCK_DGRAM), return send_it(), return unlink(name.sun_path))
ORDER(sendmsg_number, open_pair(); one = dup(0), return pass(one), return close(one))
ORDER(signalfd_there, open_signals(), return take(), return take_none_there())
ORDER(ioctl_opens, open_terminal(), return resize(other), return rows(one))
ORDER(ioctl_number, open_terminal();
      close(other), return ioctl(one, TIOCGPTPEER, O_RDWR | O_NOCTTY), return dup(0))

ORDERS(&order_connect_name, &order_sendto_name, &order_sendmsg_number, &order_signalfd_there,
       &order_ioctl_opens, &order_ioctl_number)
