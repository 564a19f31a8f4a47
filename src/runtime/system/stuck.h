/* SPDX-License-Identifier: MIT */
/*
 * Children that cannot go on any more.
 *
 * Who waits for a child waits as long as it lives.  But a child that was made while another thread
 * held a lock has that lock, and nobody who would give it back: it waits for ever, and everybody
 * with it.  That is proven where each of its threads waits in the kernel, without a time-out, for a
 * word of memory that no other process has, or for children that are stuck themselves.
 */
#ifndef PL_RUNTIME_SYSTEM_STUCK_H
#define PL_RUNTIME_SYSTEM_STUCK_H

#include <stdbool.h>

/* Whether the process, which the program has forked, is waiting for ever. */
bool pl_stuck_is(long pid);

/* The calling process arms a timer: if it is a child, it may be woken by it whatever it waits for.
 */
void pl_stuck_armed(void);

#endif /* PL_RUNTIME_SYSTEM_STUCK_H */
