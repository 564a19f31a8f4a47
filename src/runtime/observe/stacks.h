/* SPDX-License-Identifier: MIT */
/*
 * Where the threads of a finding are: their stacks, for executions that come to a standstill.
 *
 * The finding's thread calls pl_stacks_fill() when the execution is over.  Other OS threads are
 * asked by a signal and answer in its handler; on fibers, and for threads that do not answer, the
 * frames come from the compiler's hooks.
 */
#ifndef PL_RUNTIME_OBSERVE_STACKS_H
#define PL_RUNTIME_OBSERVE_STACKS_H

#include "runtime/ground/stage.h"

void pl_stacks_init(void);                 /* before anything is modelled */
void pl_stacks_fill(struct pl_finding *f); /* where the threads of its rows are */
/* In the handler of the signal: true, and never, if this thread is asked where it is. */
bool pl_stacks_answer(void);
void pl_stacks_escape(void); /* something is wrong with the stack that is being walked */

#endif /* PL_RUNTIME_OBSERVE_STACKS_H */
