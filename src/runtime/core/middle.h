/* SPDX-License-Identifier: MIT */
/*
 * Accesses that the processor does not make in one step, so that another thread may come in their
 * middle.
 *
 * Wide ones are made in pieces where another thread has announced an operation on the same bytes
 * (ground/wide.h).  A narrow one that lies across two lines of the cache is performed in one step
 * all the same; where that makes a difference, it is said.
 */
#ifndef PL_RUNTIME_CORE_MIDDLE_H
#define PL_RUNTIME_CORE_MIDDLE_H

#include "model/operation.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/wide.h"

/* Whether the operation is made in several steps. */
static inline bool pl_middle_is_wide(const struct pl_operation *op)
{
    return pl_wide_is(op->size) && pl_operation_is(op->kind, PL_ROLE_PLAIN);
}

static inline bool pl_middle_is_across(uint64_t addr, uint32_t size)
{
    return pl_wide_crosses(addr, size) && !pl_wide_is(size);
}

/* The thread has announced an operation that is wide, or others have; or one that lies across. */
void pl_middle_announced(const struct pl_thread *t);
void pl_middle_announced_across(const struct pl_thread *t);
/* An access that is announced has become longer or shorter. */
void pl_middle_resize(struct pl_thread *t, uint32_t size);

#endif /* PL_RUNTIME_CORE_MIDDLE_H */
