/* SPDX-License-Identifier: MIT */
/*
 * Calls that wait in their middle.
 *
 * A descriptor that is ready promises some bytes, not all: a large write, a message with several
 * pieces or a full queue behind an unconnected socket would keep the one OS thread of all fibers in
 * the kernel.  So such a call is made without waiting, in parts or again and again, and the thread
 * comes to a point where the kernel would have waited.
 */
#ifndef PL_RUNTIME_SYSTEM_CALLS_PARTS_H
#define PL_RUNTIME_SYSTEM_CALLS_PARTS_H

#include "runtime/system/calls.h"

/*
 * Make a call that waits as `wait` says, behind its point.  False: it does not wait in its middle,
 * and nothing has been done.
 */
bool pl_parts_make(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result);
/* If the running thread has opened an end of a FIFO and waits there: it does so no more, as part of
 * the step that ends the wait. */
void pl_parts_leave(void);

/* calls.c: the call itself; then 0, or an error if the wait ended otherwise: */
long pl_calls_now(struct pl_syscall *c);
long pl_calls_wait_again(struct pl_syscall *c, uint64_t pc); /* until what its row waits for */
long pl_calls_wait_as(struct pl_syscall *c, unsigned wait, uint64_t pc); /* until that */
long pl_calls_wait_change(struct pl_syscall *c, uint64_t pc); /* until anybody has made a call */

#endif /* PL_RUNTIME_SYSTEM_CALLS_PARTS_H */
