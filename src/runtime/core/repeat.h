/* SPDX-License-Identifier: MIT */
/*
 * Whether the program repeats itself, for every strategy that relies on it.
 *
 * A search says of an execution with how many choices of the last one it begins (`repeats` of
 * strategy.h).  Up to there both must be the same: what was performed, and what threads are about
 * to do at each choice, by thread, kind, object and place.  Where they are not, the program reads
 * something that plait does not control, and what the search concludes of one does not hold of the
 * other.  Values are not compared: what differs in them only, and leads to no other operation, is
 * not seen here.
 *
 * What an execution came to is kept on the board, where the next one finds it.  After real time has
 * had a say (PL_INCOMPLETE_PREEMPTED) nothing is compared.
 */
#ifndef PL_RUNTIME_CORE_REPEAT_H
#define PL_RUNTIME_CORE_REPEAT_H

#include "base/hash.h"
#include "runtime/ground/stage.h"
#include "strategy/shared/strategy.h"

/* The strategy has planned an execution, and is about to begin it, unless it helps in the search of
 * another worker; once it has begun. */
void pl_repeat_plan(bool helps);
void pl_repeat_begun(void);

/* The strategy is about to be asked. */
void pl_repeat_look(const struct pl_view *view);

/* The thread has been chosen to perform its operation, and what that does is known. */
static inline void pl_repeat_performed(const struct pl_operation *op)
{
    if (pl_stage->repeatable && !pl_operation_is(op->kind, PL_ROLE_LATE))
        pl_stage->course =
            pl_hash_quick(pl_stage->course ^ op->addr,
                          op->name ^ ((uint64_t)op->kind << 32) ^ ((uint64_t)op->way << 40) ^
                              ((uint64_t)op->effect << 48) ^ op->ordinal);
}

#endif /* PL_RUNTIME_CORE_REPEAT_H */
