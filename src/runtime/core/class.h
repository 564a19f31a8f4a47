/* SPDX-License-Identifier: MIT */
/*
 * The equivalence class of an execution as a number, in pl_board->class_hash: two executions have
 * the same class when their dependent operations are in the same order.
 *
 * The observer adds operations as they are performed; models add results that depend on the
 * schedule with pl_class_note(), within the operation that had them.
 */
#ifndef PL_RUNTIME_CORE_CLASS_H
#define PL_RUNTIME_CORE_CLASS_H

#include "base/hash.h"
#include "runtime/core/observer.h"
#include "runtime/ground/stage.h"

/* The result of an operation whose outcome depends on the schedule, for the class. */
static inline void pl_class_note(struct pl_thread *t, uint64_t result)
{
    t->chain = pl_hash_add(t->chain, result + 1);
    t->classed += t->chain;
    pl_board->class_hash += t->chain;
}

extern const struct pl_observer pl_class_observer;

#endif /* PL_RUNTIME_CORE_CLASS_H */
