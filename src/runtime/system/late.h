/* SPDX-License-Identifier: MIT */
/*
 * Late preemption: a thread that spins or computes for long in code without hooks lets others run.
 *
 * Without it a fiber that waits in a loop of assembly, or in a library that was compiled without
 * plait-cc, would keep its carrier for ever.  What the interrupted code does stays unseen, and when
 * it is interrupted is a matter of real time: the search does not claim to be complete from then
 * on, and no finding follows from it.  Where everything that a thread does to memory is an event it
 * waits for nobody when it has none, and has much longer: a second of computing costs no claim.  A
 * replay comes to the preemption in the same way, at the same event of the thread, though perhaps
 * at another instruction.
 */
#ifndef PL_RUNTIME_SYSTEM_LATE_H
#define PL_RUNTIME_SYSTEM_LATE_H

#include <ucontext.h>

/* On the first OS thread of a process that runs executions: look at it from now on. */
void pl_late_begin(void);
/* It has used another bit of processor time; in a handler on a stack of its own. */
void pl_late_tick(ucontext_t *u);

#endif /* PL_RUNTIME_SYSTEM_LATE_H */
