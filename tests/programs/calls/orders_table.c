/* SPDX-License-Identifier: MIT */
/*
 * Which numbers stand for what: whoever comes first gets the lowest, and a number that is closed or
 * replaced stands for something else.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=23
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=23
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "orders.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

static int file, low;
static sigset_t set;

/* A number that is open, and the next one that will be given. */
static void begin(void)
{
    unlink("file");
    sigemptyset(&set);
    file = open("/dev/null", O_RDONLY | O_APPEND);
    low = dup(file);
    MUST(file >= 0 && low >= 0 && close(low) == 0);
}

static long other(void)
{
    return said(dup(0)) - low;
}

#define OPENS(call, ...) ORDER(call, begin(), return said(__VA_ARGS__) - low, return other())

OPENS(open, syscall(SYS_open, "/dev/null", O_RDONLY))
OPENS(openat, openat(AT_FDCWD, "/dev/null", O_RDONLY))
OPENS(creat, creat("file", 0600))
OPENS(dup, dup(file))
OPENS(socket, socket(AF_UNIX, SOCK_STREAM, 0))
OPENS(eventfd, syscall(SYS_eventfd, 0))
OPENS(eventfd2, eventfd(0, EFD_CLOEXEC))
OPENS(epoll_create, epoll_create(1))
OPENS(epoll_create1, epoll_create1(EPOLL_CLOEXEC))
OPENS(timerfd_create, timerfd_create(CLOCK_MONOTONIC, 0))
OPENS(signalfd4, signalfd(-1, &set, 0))
OPENS(inotify_init, syscall(SYS_inotify_init))
OPENS(inotify_init1, inotify_init1(0))
OPENS(pidfd_open, syscall(SYS_pidfd_open, getppid(), 0))
ORDER(pipe, begin(), int ends[2]; syscall(SYS_pipe, ends); return ends[0] - low, return other())
ORDER(pipe2, begin(), int ends[2]; MUST(pipe2(ends, O_CLOEXEC) == 0);
      return ends[0] - low, return other())
ORDER(socketpair, begin(), int ends[2]; MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
      return ends[0] - low, return other())
ORDER(close, begin(), return close(file), return said(fcntl(file, F_GETFD)))
ORDER(close_range, begin(), return said(syscall(SYS_close_range, file, file, 0)), return other())
ORDER(dup2, begin(), return dup2(0, low) - low, return said(fcntl(low, F_GETFD)))
ORDER(dup2_over, begin(); low = dup(file), return dup2(0, low) - low,
                          return said(lseek(low, 0, SEEK_CUR) + fcntl(low, F_GETFL)))
ORDER(dup3, begin(), return dup3(0, low, O_CLOEXEC) - low, return said(fcntl(low, F_GETFD)))
ORDER(fcntl, begin(), return fcntl(0, F_DUPFD, low) - low, return other())

ORDERS(&order_open, &order_openat, &order_creat, &order_dup, &order_socket, &order_eventfd,
       &order_eventfd2, &order_epoll_create, &order_epoll_create1, &order_timerfd_create,
       &order_signalfd4, &order_inotify_init, &order_inotify_init1, &order_pidfd_open, &order_pipe,
       &order_pipe2, &order_socketpair, &order_close, &order_close_range, &order_dup2,
       &order_dup2_over, &order_dup3, &order_fcntl)
