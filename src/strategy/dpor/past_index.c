/* SPDX-License-Identifier: MIT */
/* See past_index.h. */
#include "strategy/dpor/past_index.h"

#include "base/memory.h"
#include "strategy/shared/strategy.h"

enum { SLOTS = 1 << 12 }; /* of the small one */

static void begin(struct pl_past_index *x)
{
    if (x->near)
        pl_table_start_near(&x->table, x->small, SLOTS, SLOTS);
    else
        pl_table_start(&x->table, x->small, SLOTS, SLOTS);
}

void pl_past_index_start(struct pl_past_index *x, struct pl_arena *arena, uint32_t most, bool near)
{
    *x = (struct pl_past_index){.slots = 2 * SLOTS, .near = near};
    while (x->slots < most + (uint64_t)most / 5)
        x->slots *= 2;
    x->small = PL_ARENA_TAKE(arena, uint64_t, SLOTS);
    x->large = PL_ARENA_TAKE(arena, uint64_t, x->slots);
    begin(x);
}

void pl_past_index_clear(struct pl_past_index *x)
{
    if (x->moving || x->table.slots == x->large) {
        pl_memory_fill(x->large, 0, x->slots * sizeof(uint64_t));
        pl_memory_fill(x->small, 0, SLOTS * sizeof(uint64_t));
        begin(x);
    } else {
        pl_table_clear(&x->table);
    }
    PL_STORE(x->moving, false);
}

void pl_past_index_move(struct pl_past_index *x)
{
    PL_ASSERT(!x->moving && x->table.slots == x->small);
    PL_STORE(x->moving, true);
    pl_table_move(&x->table, x->large, x->slots);
    PL_STORE(x->moving, false);
}
