/* SPDX-License-Identifier: MIT */
/* See class.c. */
#ifndef PL_RUNTIME_CORE_CLASS_H
#define PL_RUNTIME_CORE_CLASS_H

#include "base/hash.h"
#include "runtime/core/observer.h"
#include "runtime/ground/stage.h"

/* The result of an operation whose outcome depends on the schedule, for the class. */
static inline void pl_class_note(struct pl_thread *t, uint64_t result)
{
    t->chain = pl_hash_add(t->chain, result + 1);
    pl_board->class_hash += t->chain;
}

extern const struct pl_observer pl_class_observer;

#endif /* PL_RUNTIME_CORE_CLASS_H */
