/* SPDX-License-Identifier: MIT */
/*
 * A deputy: an OS thread that makes one system call in place of the one that carries all threads of
 * the program, so that a call which waits keeps nobody else from running.
 *
 * Calls that the kernel can be asked about need none (calls_ask.h).  A deputy is started for one
 * call, and gone when that is over: it has the descriptors, folder, credentials and memory that the
 * program has at that moment, and no idle one is there when a runner forks.  It makes the one
 * system call and touches nothing else.  Signals of the program do not reach it.
 */
#ifndef PL_RUNTIME_SYSTEM_DEPUTY_H
#define PL_RUNTIME_SYSTEM_DEPUTY_H

#include "runtime/system/calls.h"

#include <stdbool.h>

/*
 * Whether the call may wait for something that nobody can be asked about, while others could run.
 * `unasked`: so its row says.
 */
bool pl_deputy_suits(const struct pl_syscall *c, bool unasked);
/* The program has the descriptor: its file may have a lease. */
void pl_deputy_learn(int fd);

/* Let a deputy of the running thread make the call.  False: there can be none. */
bool pl_deputy_start(const struct pl_syscall *c);
/* Wait until the call of t is over, or sleeps in the kernel: true when it is over. */
bool pl_deputy_settle(const struct pl_thread *t);
/* Whether it is over; after at most so many milliseconds. */
bool pl_deputy_is_over(const struct pl_thread *t, int ms);
/* Of one that is over: whether by what a thread of the program did. */
bool pl_deputy_was_released(const struct pl_thread *t);
/* It is: its result.  The deputy is gone. */
long pl_deputy_end(struct pl_thread *t);
/* A signal ends the call, as far as the kernel lets it; its result.  The deputy is gone. */
long pl_deputy_interrupt(struct pl_thread *t);

/* Somebody is about to make a call: who is over has nothing to do with it. */
void pl_deputy_look(void);
/* Somebody has made a call: those that this lets go on come to their ends first. */
void pl_deputy_rest(void);

#endif /* PL_RUNTIME_SYSTEM_DEPUTY_H */
