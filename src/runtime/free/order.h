/* SPDX-License-Identifier: MIT */
/* The order of operations of free threads, as it was; see order.c. */
#ifndef PL_RUNTIME_FREE_ORDER_H
#define PL_RUNTIME_FREE_ORDER_H

#include "runtime/ground/stage.h"

void pl_order_begin(void);
/* Let others have what the thread's last access was to. */
void pl_order_release(struct pl_thread *t);
/* The same for a while: it has touched nothing yet, and gets it back with the next claim. */
void pl_order_pause(const struct pl_thread *t);
/* Until then the thread has the memory to itself, and what it had before a pause. */
void pl_order_claim(struct pl_thread *t, uint64_t addr, uint64_t size);
/* Inside the monitor: the thread performs the operation that it has announced. */
void pl_order_perform(const struct pl_thread *t);
void pl_order_choice(const struct pl_choice *c);
/* What is recorded from now on no longer belongs to the execution. */
void pl_order_freeze(void);
/* The execution ends: how far everybody has come. */
void pl_order_close(void);
/* In the keeper: make a list of choices of what was recorded. */
void pl_order_settle(void);

#endif /* PL_RUNTIME_FREE_ORDER_H */
