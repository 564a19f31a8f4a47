/* SPDX-License-Identifier: MIT */
/*
 * Timers that are read through descriptors, in virtual time.
 *
 * The kernel's would run in real time beside clocks that do not.  An event counter stands for the
 * timer: what can be read from it, and when it is ready, is the same.  A timer fires when the
 * clock has reached it and a thread looks: one that waits for the descriptor is chosen to go on by
 * that, as by any time-out, and then looks at the clock and reads, which are steps of their own.
 */
#ifndef PL_RUNTIME_SYSTEM_TIMERFD_H
#define PL_RUNTIME_SYSTEM_TIMERFD_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct pl_syscall;
struct pl_thread;

/* As the kernel returns it. */
long pl_timerfd_create(int clock, int flags);
long pl_timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old);
long pl_timerfd_gettime(int fd, struct itimerspec *value);

bool pl_timerfd_is(int fd);
/* Whether there is any. */
bool pl_timerfd_exists(void);
/* When the timer behind the descriptor, or with -1 any of them, is due next; PL_NEVER: not. */
uint64_t pl_timerfd_next(int fd);
/* The same of those among them, or in a set of epoll among them. */
uint64_t pl_timerfd_next_of(const struct pollfd *fds, nfds_t n);
/* The thread is about to wait: until a timer goes off, or it gives up. */
void pl_timerfd_await(struct pl_thread *t, uint64_t fires, uint64_t limit);
/* The call may have looked at a timer without waiting for it, or read how often one that repeats
 * has gone off: more time may have passed than for sleeps of the program, which is not searched. */
void pl_timerfd_looked(const struct pl_syscall *c, unsigned wait, uint64_t pc);
/* The clock has moved: all that are due fire. */
void pl_timerfd_fire(void);
/* Nobody goes on, beside children that live in real time and may wait for a timer that they have
 * with the program: what has come for them fires.  Whether there are such timers. */
bool pl_timerfd_beside(void);

#endif /* PL_RUNTIME_SYSTEM_TIMERFD_H */
