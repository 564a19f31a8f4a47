/* SPDX-License-Identifier: MIT */
/*
 * What a block of operations touches: bytes of memory, locks, conditions, each
 * by reading, adding or writing (model/depend.h).  Two blocks of different
 * threads that touch nothing in common but what both read, or both add to, may
 * be performed in either order.
 *
 * A set is a row of cells, one for each eight bytes touched, in ascending order,
 * with masks of the bytes.  Three words, with a bit for each cell, tell most pairs
 * of sets apart at once: no bit in common, nothing in common.
 *
 * Sets are kept in a stack.  The last one may be open: then it is the one that is
 * being recorded, and its cells are in no order yet.
 */
#ifndef PL_STRATEGY_EXITBLOCK_BLOCKS_H
#define PL_STRATEGY_EXITBLOCK_BLOCKS_H

#include "base/arena.h"
#include "model/operation.h"

enum { PL_BLOCKS_RECENT = 4096 };

struct pl_blocks_cell {
    uint64_t granule;           /* address / 8 */
    uint8_t read, add, written; /* bytes of it, one bit each */
};

struct pl_blocks_set {
    uint64_t reads, adds, writes; /* a bit for each cell, by its granule */
    uint64_t cancels;             /* threads that it cancels, a bit for each, modulo 64 */
    uint32_t first, n;            /* cells */
    pl_tid tid;                   /* whose block it is */
    bool all;                     /* it touches everything: it ends the program */
    bool visible; /* there is more in it than accesses that nobody else can come between */
};

struct pl_blocks {
    struct pl_blocks_cell *cells;
    struct pl_blocks_set *sets; /* number 0 is empty for ever */
    uint32_t n_cells, cells_max, n_sets, sets_max;
    bool full; /* something did not fit: what is said of any set may be wrong */
    uint32_t generation;
    struct {
        uint32_t generation, cell;
    } recent[PL_BLOCKS_RECENT]; /* where a granule's cell in the open set may be */
};

void pl_blocks_start(struct pl_blocks *b, struct pl_arena arena);

/* Begin a set; whatever is touched from now on is in it. */
uint32_t pl_blocks_open(struct pl_blocks *b, pl_tid tid);
void pl_blocks_touch(struct pl_blocks *b, uint64_t addr, uint64_t size, enum pl_effect effect);

/* The block has ended: the set has all that it touched. */
void pl_blocks_close(struct pl_blocks *b, uint32_t set);

/* Put the last set into the one before it. */
void pl_blocks_merge(struct pl_blocks *b, uint32_t set);

/* Forget all sets from this number on. */
void pl_blocks_drop(struct pl_blocks *b, uint32_t set);

/* Whether the two, of which each is closed, must not be swapped. */
bool pl_blocks_conflict(const struct pl_blocks *b, uint32_t one, uint32_t other);

#endif /* PL_STRATEGY_EXITBLOCK_BLOCKS_H */
