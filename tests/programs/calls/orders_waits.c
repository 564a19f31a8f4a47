/* SPDX-License-Identifier: MIT */
/*
 * Calls by number that wait for one of several things, or for a signal.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=5
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=5
 *
 * RUN    plait test -s random -n 60
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "orders.h"

#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <time.h>

static int ends[2], set;
static _Atomic uint32_t words[2];
static _Atomic int handled;
static sigset_t usr, none;

static void handle(int signo)
{
    (void)signo;
    handled = 1;
}

static void begin(void)
{
    struct epoll_event event = {.events = EPOLLIN};

    words[0] = words[1] = 0;
    handled = 0;
    sigemptyset(&none);
    sigemptyset(&usr);
    sigaddset(&usr, SIGUSR1);
    signal(SIGUSR1, handle);
    pthread_sigmask(SIG_BLOCK, &usr, NULL);
    set = epoll_create1(0);
    MUST(pipe(ends) == 0 && set >= 0 && epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == 0);
}

static long wait_for_one(const struct timespec *limit)
{
    struct futex_waitv list[2] = {{.uaddr = (uintptr_t)&words[0], .flags = FUTEX_32},
                                  {.uaddr = (uintptr_t)&words[1], .flags = FUTEX_32}};

    return said(syscall(SYS_futex_waitv, list, 2, 0, limit, CLOCK_MONOTONIC));
}

/* The second of them is changed and woken: whoever waits is told which. */
static long change_second(void)
{
    words[1] = 1;
    return syscall(SYS_futex, &words[1], FUTEX_WAKE, 1, NULL, NULL, 0);
}

ORDER(futex_waitv, begin(), return wait_for_one(NULL), return change_second())
ORDER(futex_waitv_over, begin(), struct timespec past = {0}; long rc = wait_for_one(&past);
      return rc == -EAGAIN || rc == -ETIMEDOUT || rc == 1 ? rc : 100, return change_second())
ORDER(rt_sigtimedwait, begin(), struct timespec zero = {0};
      return said(syscall(SYS_rt_sigtimedwait, &usr, NULL, &zero, 8)),
             return kill(getpid(), SIGUSR1))
ORDER(rt_sigsuspend, begin(), return said(syscall(SYS_rt_sigsuspend, &none, 8)),
      kill(getpid(), SIGUSR1);
      return handled)
ORDER(epoll_pwait2, begin(), struct epoll_event e; struct timespec zero = {0};
      return said(syscall(SYS_epoll_pwait2, set, &e, 1, &zero, NULL, 8)),
             return write(ends[1], "x", 1))

ORDERS(&order_futex_waitv, &order_futex_waitv_over, &order_rt_sigtimedwait, &order_rt_sigsuspend,
       &order_epoll_pwait2)
