/* SPDX-License-Identifier: MIT */
/*
 * The order of operations of free threads, recorded as it was; pl_order_settle() makes a schedule
 * of it.
 *
 * The hooks claim the stripes of what an access touches and hold them until the thread's next
 * event; models record inside the monitor.  Stripes are taken in the order of their
 * table, all of an access anew when one is added, so no circle of waiting threads can form.
 */
#ifndef PL_RUNTIME_FREE_ORDER_H
#define PL_RUNTIME_FREE_ORDER_H

#include "runtime/ground/stage.h"

void pl_order_begin(void); /* an execution begins: nothing is recorded yet */
/* Let others have the stripes of the thread's last access. */
void pl_order_release(struct pl_thread *t);
/* The same for a while: the thread has touched nothing yet, and its next claim takes them back. */
void pl_order_pause(const struct pl_thread *t);
/* Until pl_order_release() the thread has the memory to itself, and what it had before a pause. */
void pl_order_claim(struct pl_thread *t, uint64_t addr, uint64_t size);
/* Inside the monitor: the thread performs the operation that it has announced. */
void pl_order_perform(const struct pl_thread *t);
/* Inside the monitor: from now on other processes perform, too. */
void pl_order_share(void);
/* Inside the monitor: the process, or its program, is about to end by this thread, which comes
 * after all that the others have done; or it does not end after all. */
void pl_order_halt_others(const struct pl_thread *t);
void pl_order_let_go_on(void);
/* A choice other than of a thread, inside the monitor. */
void pl_order_choice(const struct pl_choice *c);
/* What is recorded from now on no longer belongs to the execution. */
void pl_order_freeze(void);
/* The execution ends: how far everybody has come. */
void pl_order_close(void);
/* In the keeper: make a list of choices of what was recorded. */
void pl_order_settle(void);

/* Whether the thread is in the kernel and sleeps there, or has ended. */
bool pl_order_asleep(const struct pl_thread *t);

uint64_t pl_order_now_ns(void); /* of the machine, by which looks at others are bounded */

#endif /* PL_RUNTIME_FREE_ORDER_H */
