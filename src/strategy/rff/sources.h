/* SPDX-License-Identifier: MIT */
/*
 * Which statement wrote each byte last, in the execution at hand: what reads read
 * from.  An object counts as the first byte at its address; of long accesses only the first
 * bytes are looked at.
 */
#ifndef PL_STRATEGY_RFF_SOURCES_H
#define PL_STRATEGY_RFF_SOURCES_H

#include "model/depend.h"
#include "model/operation.h"

enum { PL_SOURCES_CELLS = 1 << 12, PL_SOURCES_GRANULE = 8, PL_SOURCES_LONGEST = 64 };

struct pl_sources {
    uint32_t stamp; /* of the execution: nothing has to be cleared */
    struct pl_sources_cell {
        uint64_t granule;
        uint32_t stamp;
        uint32_t writers[PL_SOURCES_GRANULE]; /* PL_READS_FROM_INITIAL: nobody */
    } cells[PL_SOURCES_CELLS];
};

/* A part of what an operation touches, within a granule. */
struct pl_sources_piece {
    uint64_t addr;
    uint32_t size; /* 0: there is no further one */
};

/* The first piece of an operation for an address of 0, or the next one. */
static inline struct pl_sources_piece pl_sources_piece(const struct pl_operation *op, uint64_t from)
{
    uint64_t start = pl_depend_object(op), size = pl_depend_size(op);
    uint64_t end = start + (size < PL_SOURCES_LONGEST ? size : PL_SOURCES_LONGEST);
    uint64_t at = from == 0 ? start : (from / PL_SOURCES_GRANULE + 1) * PL_SOURCES_GRANULE;
    uint64_t next = (at / PL_SOURCES_GRANULE + 1) * PL_SOURCES_GRANULE;

    if (at >= end)
        return (struct pl_sources_piece){0};
    return (struct pl_sources_piece){at, (uint32_t)((end < next ? end : next) - at)};
}

void pl_sources_begin(struct pl_sources *s);

/*
 * The operation reads the piece, writes it, or both.  How many statements a read reads from, and
 * in from[] which: as often as they change from one byte to the next.
 */
unsigned pl_sources_see(struct pl_sources *s, const struct pl_operation *op,
                        struct pl_sources_piece piece, uint32_t from[PL_SOURCES_GRANULE]);

#endif /* PL_STRATEGY_RFF_SOURCES_H */
