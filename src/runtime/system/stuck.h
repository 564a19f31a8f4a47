/* SPDX-License-Identifier: MIT */
/*
 * Children that cannot go on any more.
 *
 * Who waits for a child waits as long as it lives.  But a child that was made while another thread
 * held a lock has that lock, and nobody who would give it back: it waits for ever, and everybody
 * with it.  That is proven where each of its threads waits in the kernel, without a time-out, for a
 * word of memory that no other process has, or for children that are stuck themselves.
 *
 * Or they wait for each other: for what comes through a pipe, whose other end one of them or the
 * program has, for a signal, for the end of a child.  That is proven of all of them together, where
 * none of the program's own threads can go on either.
 */
#ifndef PL_RUNTIME_SYSTEM_STUCK_H
#define PL_RUNTIME_SYSTEM_STUCK_H

#include <stdbool.h>

/* Whether the process, which the program has forked, is waiting for ever. */
bool pl_stuck_is(long pid);

/*
 * Whether there are processes that come from the program, and each waits for what only another one
 * of them or the program could do; if that waits for them as well, nobody will ever go on.
 */
bool pl_stuck_all(void);

/* The calling process arms a timer: if it is a child, it may be woken by it whatever it waits for.
 */
void pl_stuck_armed(void);

#endif /* PL_RUNTIME_SYSTEM_STUCK_H */
