/* SPDX-License-Identifier: MIT */
/*
 * Why a search is not complete: a set of reasons, one bit for each row of
 * incomplete.def.  An execution collects what it meets on its board, the common has
 * what holds for the search, the result has that and what the tool knows.
 *
 * An empty set is the claim of completeness: every interleaving was covered.  So a
 * reason is added where it arises, and taken away only where the search begins anew.
 */
#ifndef PL_MODEL_INCOMPLETE_H
#define PL_MODEL_INCOMPLETE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The reasons by number, in the order in which they are said. */
enum pl_incomplete_row {
#define PL_INCOMPLETE(name, scope, sentence) PL_INCOMPLETE_ROW_##name,
#include "model/incomplete.def"
#undef PL_INCOMPLETE
    PL_INCOMPLETE_ROWS
};
_Static_assert(PL_INCOMPLETE_ROWS <= 32, "a set has 32 bits");

/* The reasons as members of a set. */
enum pl_incomplete {
#define PL_INCOMPLETE(name, scope, sentence) PL_INCOMPLETE_##name = 1 << PL_INCOMPLETE_ROW_##name,
#include "model/incomplete.def"
#undef PL_INCOMPLETE
};

enum pl_incomplete_scope {
    PL_INCOMPLETE_OF_TOOL,
    PL_INCOMPLETE_OF_CAMPAIGN,
    PL_INCOMPLETE_OF_EPOCH,
    PL_INCOMPLETE_OF_ROUND
};

/* All reasons of a scope. */
static inline uint32_t pl_incomplete_within(enum pl_incomplete_scope scope)
{
    uint32_t set = 0;

#define PL_INCOMPLETE(name, of, sentence) \
    set |= PL_INCOMPLETE_OF_##of == scope ? (uint32_t)PL_INCOMPLETE_##name : 0;
#include "model/incomplete.def"
#undef PL_INCOMPLETE
    return set;
}

/* The sets that workers add to; any thread may, with or without a lock. */
static inline void pl_incomplete_add(_Atomic uint32_t *set, uint32_t reasons)
{
    if ((atomic_load_explicit(set, memory_order_relaxed) & reasons) != reasons)
        atomic_fetch_or_explicit(set, reasons, memory_order_relaxed);
}

static inline void pl_incomplete_remove(_Atomic uint32_t *set, uint32_t reasons)
{
    atomic_fetch_and_explicit(set, ~reasons, memory_order_relaxed);
}

static inline bool pl_incomplete_has(const _Atomic uint32_t *set, enum pl_incomplete reason)
{
    return (atomic_load_explicit(set, memory_order_relaxed) & (uint32_t)reason) != 0;
}

#endif /* PL_MODEL_INCOMPLETE_H */
