/* SPDX-License-Identifier: MIT */
/*
 * Wide accesses that the program's own code makes: 16 bytes, or the copy of a structure.
 *
 * The compiler announces such an access once, by a hook, and then makes it with several
 * instructions.  Where it is to be made in pieces (pieces.h) the hook makes no point.  It lets the
 * processor stop after each instruction instead, and whenever the next one is about to touch bytes
 * of the access that none has touched, these are a piece: a point, then the instruction.  So there
 * are as many pieces as the machine really makes, in its order; a single instruction of 16 bytes is
 * one.
 */
#ifndef PL_RUNTIME_ACCESS_STEP_H
#define PL_RUNTIME_ACCESS_STEP_H

#include "runtime/ground/stage.h"

/*
 * A hook announces an access; `entry` as in access.c.  True when it is made in pieces from here on,
 * so that nothing is to be done now.
 */
bool pl_step_takes(struct pl_thread *t, uint64_t addr, uint64_t size, unsigned flags, uint64_t pc,
                   const uint64_t *entry);
/* Whether the processor is to stop after each instruction, as the runtime is left. */
bool pl_step_goes_on(struct pl_thread *t);

/* A trap; `context` is a ucontext_t.  False when it has nothing to do with this. */
bool pl_step_trap(void *context);

#endif /* PL_RUNTIME_ACCESS_STEP_H */
