/* SPDX-License-Identifier: MIT */
/*
 * The equivalence class of an execution as a number (search.md): two executions
 * have the same class when their dependent operations are in the same order.
 *
 * Each operation that counts gets a hash of its thread's earlier ones and of the
 * operations it depends on: a read of the last write, a write of the last write
 * and the reads since.  The class is the sum over all operations, so the order
 * of independent ones does not matter.  Memory is taken byte by byte.
 */
#include "runtime/rt.h"

enum { NEAR = 16 }; /* bytes whose cells are looked up once */

/*
 * Cells lie densely, found through chains: an execution that touches few objects
 * touches few pages.  For the same reason the table of chains is small at first.
 */
static uint32_t *chain_of(uint64_t addr)
{
    uint64_t h = pl_hash_mix(addr);

    return pl_stage->n_cells <= PL_BUCKETS_NEAR * 2 ? &pl_stage->near_buckets[h % PL_BUCKETS_NEAR]
                                                    : &pl_stage->buckets[h % PL_BUCKETS];
}

/* There are many cells now: sort them into the large table. */
static void spread(void)
{
    for (uint64_t i = 0; i + 1 < pl_stage->n_cells; i++) {
        uint32_t *chain = chain_of(pl_stage->cells[i].addr);

        pl_stage->cells[i].next = *chain;
        *chain = (uint32_t)i + 1;
    }
}

static struct pl_cell *cell(uint64_t addr)
{
    uint32_t *chain = chain_of(addr);

    for (uint32_t i = *chain; i != 0; i = pl_stage->cells[i - 1].next) {
        if (pl_stage->cells[i - 1].addr == addr)
            return &pl_stage->cells[i - 1];
    }
    if (pl_stage->n_cells >= PL_CELLS)
        return NULL;
    struct pl_cell *c = &pl_stage->cells[pl_stage->n_cells++];

    if (pl_stage->n_cells == PL_BUCKETS_NEAR * 2 + 1)
        spread();
    chain = chain_of(addr);
    c->addr = addr;
    c->next = *chain;
    *chain = (uint32_t)pl_stage->n_cells;
    return c;
}

void pl_class_add(struct pl_thread *t, const struct pl_operation *op)
{
    enum pl_effect effect = pl_operation_effect(op->kind);
    uint64_t size =
        pl_operation_object(op->kind) == PL_OBJECT_MEMORY && op->size > 0 ? op->size : 1;
    uint64_t addr = op->kind == PL_OP_COND_WAKE ? t->mutex : op->addr;
    struct pl_cell *cells[NEAR];
    uint64_t seen = 0;

    if (pl_stage->class_overflow)
        return;
    if (addr == 0 || effect == PL_EFFECT_NONE)
        size = 0;
    for (uint64_t i = 0; i < size; i++) {
        struct pl_cell *c = cell(addr + i);

        if (c == NULL) {
            pl_stage->class_overflow = true;
            return;
        }
        if (i < NEAR)
            cells[i] = c;
        seen += pl_hash_add(i, c->write);
        if (effect == PL_EFFECT_WRITE)
            seen += c->reads;
    }
    uint64_t h =
        pl_hash_add(pl_hash_add(t->chain, seen), t->name ^ op->kind ^ (uint64_t)op->way << 8);

    t->chain = h;
    for (uint64_t i = 0; i < size; i++) {
        struct pl_cell *c = i < NEAR ? cells[i] : cell(addr + i);

        if (effect == PL_EFFECT_WRITE) {
            c->write = h;
            c->reads = 0;
        } else {
            c->reads += h;
        }
    }
    pl_board->class_hash += h;
}
