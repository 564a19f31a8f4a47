/* SPDX-License-Identifier: MIT */
/*
 * A thread opens a FIFO and waits for the other end, which no thread of the program will open: a
 * process outside may.  It is met by an end of our own that does not wait, so that nobody hangs.
 */
#ifndef PL_RUNTIME_SYSTEM_CALLS_FIFO_H
#define PL_RUNTIME_SYSTEM_CALLS_FIFO_H

#include <stdbool.h>

struct pl_syscall;
struct pl_thread;

/* Whether somebody has the other end by now; then the call can be made, and does not wait. */
bool pl_fifo_met(struct pl_thread *t);
/* The call has been made. */
void pl_fifo_opened(struct pl_thread *t, const struct pl_syscall *c);
/* Nobody will come. */
void pl_fifo_leave(struct pl_thread *t);

#endif /* PL_RUNTIME_SYSTEM_CALLS_FIFO_H */
