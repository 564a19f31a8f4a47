/* SPDX-License-Identifier: MIT */
/*
 * A table that outlives processes: small at first, so that a search over a small program touches
 * little memory and begins at once, and large when it has to be.
 *
 * Memory for both is there from the beginning.  A process that dies while it moves the entries
 * leaves `moving` behind; whoever misses one then makes the table again from the entries
 * themselves.  So an entry is complete, and counted, before it is put in.
 */
#ifndef PL_STRATEGY_DPOR_PAST_INDEX_H
#define PL_STRATEGY_DPOR_PAST_INDEX_H

#include "base/arena.h"
#include "base/table.h"

struct pl_past_index {
    struct pl_table table;
    uint64_t *small, *large;
    uint32_t slots; /* of the large one */
    bool near;      /* see pl_table_start_near() */
    bool moving;
};

/* For `most` entries. */
void pl_past_index_start(struct pl_past_index *x, struct pl_arena *arena, uint32_t most, bool near);
void pl_past_index_clear(struct pl_past_index *x);
void pl_past_index_move(struct pl_past_index *x);

static inline void pl_past_index_add(struct pl_past_index *x, uint64_t hash, uint32_t index)
{
    if (x->table.n >= x->table.capacity / 2 && x->table.slots == x->small)
        pl_past_index_move(x);
    bool added = pl_table_add(&x->table, hash, index);

    PL_ASSERT(added && !x->moving);
}

#endif /* PL_STRATEGY_DPOR_PAST_INDEX_H */
