/* SPDX-License-Identifier: MIT */
/*
 * A call that has begun keeps its open file.
 *
 * A number is looked up when a call begins.  Whoever closes the number after that, or puts another
 * file behind it, takes nothing away from a call that waits: it goes on with the file that it has.
 * So for such a number the beginning of a call is an operation of its own, and whoever gives the
 * number up leaves another one of the same file with those who have begun.  The same beginning
 * decides whether the call waits: who sets O_NONBLOCK after it wakes nobody.
 *
 * Most numbers are given up by whoever used them last.  That one is given up while others use it
 * is learned, as sharing is: from the next execution on the calls there begin with a point.  Until
 * then they begin where the thread's last operation was.
 */
#ifndef PL_RUNTIME_SYSTEM_CALLS_KEPT_H
#define PL_RUNTIME_SYSTEM_CALLS_KEPT_H

#include "runtime/system/calls.h"

/* A call that may wait at the number is about to begin: whether that is a point. */
bool pl_kept_was_slow(int fd); /* a call could have waited at what was last there */
bool pl_kept_begins(int fd);
/* Whether calls at the number are known to begin while others change what it stands for. */
bool pl_kept_is_looked_up(int fd);
/* The running thread's call is over: what was kept for it is given up. */
void pl_kept_end(void);
/* The call is about to give numbers up, or to change what a call does there, if it is such a one.
 */
void pl_kept_give_up(const struct pl_syscall *c);

/* Whether something is kept for the thread; and its number for what the thread knows as fd. */
bool pl_kept_any(const struct pl_thread *t);
int pl_kept_fd(const struct pl_thread *t, int fd);
/* Of a number that was kept: whether it is the program's own from its start. */
bool pl_kept_inherited(int fd);
void pl_kept_forked(void); /* in a child: nobody waits there; */
void pl_kept_close(void);  /* in one that borrows this memory */

#endif /* PL_RUNTIME_SYSTEM_CALLS_KEPT_H */
