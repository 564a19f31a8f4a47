/* SPDX-License-Identifier: MIT */
/*
 * Opening a FIFO, as the kernel does it: an end that is opened is there at once, and whoever waits
 * for it goes on; then its own thread waits until somebody has come to the other end, if nobody has
 * it.  So it is two operations, the second of which is let go on by the first of another thread,
 * also if that has closed its end again since.
 *
 * A process outside may come, too; only the kernel knows.  Both operations are in calls_parts.c.
 */
#ifndef PL_RUNTIME_SYSTEM_CALLS_FIFO_H
#define PL_RUNTIME_SYSTEM_CALLS_FIFO_H

#include <stdbool.h>

struct pl_syscall;
struct pl_thread;

/* Whether it opens a FIFO in a way that waits for the other end. */
bool pl_fifo_is_opening(const struct pl_syscall *c);
/* Whether somebody of the program has the other end of one that has been opened. */
bool pl_fifo_has_partner(int end);
/* A number has been opened: those who wait for it as the other end of theirs go on. */
void pl_fifo_opened(long fd);
/* Whether somebody has come to the other end of the one that the thread waits at, as the kernel
 * says. */
bool pl_fifo_met(const struct pl_thread *t);
/* Whether somebody else may: to one that the program has made, only its children. */
bool pl_fifo_is_open_to_others(const struct pl_thread *t);
/* In a child: threads that wait, and their ends, are not there. */
void pl_fifo_forked(void);

#endif /* PL_RUNTIME_SYSTEM_CALLS_FIFO_H */
