/* SPDX-License-Identifier: MIT */
/*
 * Where the threads of a finding are: their stacks.
 *
 * The finding's thread calls pl_stacks_fill() when the execution is over.  Other OS threads are
 * asked by a signal and answer in its handler.
 */
#ifndef PL_RUNTIME_OBSERVE_STACKS_H
#define PL_RUNTIME_OBSERVE_STACKS_H

#include "runtime/ground/stage.h"

void pl_stacks_init(void); /* before anything is modelled */
/* Who has called what a thread does at `pc`, innermost first, PL_FINDING_FRAMES at most. */
unsigned pl_stacks_callers(const struct pl_thread *t, uint64_t pc, uint64_t *to);
void pl_stacks_fill(struct pl_finding *f); /* where it is, and the threads of its rows */
/* In the handler of the signal: true, and never, if this thread is asked where it is. */
bool pl_stacks_answer(void);
void pl_stacks_escape(void); /* something is wrong with the stack that is being walked */

#endif /* PL_RUNTIME_OBSERVE_STACKS_H */
