/* SPDX-License-Identifier: MIT */
/* See sources.h. */
#include "strategy/sources.h"

#include "base/hash.h"
#include "model/cover.h"
#include "model/reads_from.h"
#include "strategy/constraints.h"
#include "strategy/depend.h"

enum { GRANULE = PL_SOURCES_GRANULE };
enum { PROBES = 8 }; /* then the cell of another granule is taken over */

struct pl_sources_piece pl_sources_piece(const struct pl_operation *op, uint64_t from)
{
    uint64_t start = pl_depend_object(op), size = pl_depend_size(op);
    uint64_t end = start + (size < PL_SOURCES_LONGEST ? size : PL_SOURCES_LONGEST);
    uint64_t at = from == 0 ? start : (from / GRANULE + 1) * GRANULE;
    uint64_t next = (at / GRANULE + 1) * GRANULE;

    if (at >= end)
        return (struct pl_sources_piece){0};
    return (struct pl_sources_piece){at, (uint32_t)((end < next ? end : next) - at)};
}

void pl_sources_begin(struct pl_sources *s)
{
    s->stamp++;
}

static struct pl_sources_cell *cell_of(struct pl_sources *s, uint64_t granule)
{
    uint64_t h = pl_hash_mix(granule);
    struct pl_sources_cell *c = NULL;
    uint32_t nobody = PL_READS_FROM_INITIAL;

    for (unsigned i = 0; i < PROBES; i++) {
        c = &s->cells[(h + i) % PL_SOURCES_CELLS];
        if (c->stamp != s->stamp)
            break;
        if (c->granule == granule)
            return c;
    }
    if (c->stamp == s->stamp)
        nobody = PL_COVER_NOTHING; /* it may have been written, and its cell been taken over */
    c->granule = granule;
    c->stamp = s->stamp;
    for (unsigned i = 0; i < GRANULE; i++)
        c->writers[i] = nobody;
    return c;
}

static void read(const struct pl_sources_cell *c, unsigned from, unsigned to_byte, uint32_t reader,
                 void (*tell)(void *to, uint32_t writer, uint32_t reader), void *to)
{
    for (unsigned i = from; i < to_byte; i++) {
        if (c->writers[i] != PL_COVER_NOTHING && (i == from || c->writers[i] != c->writers[i - 1]))
            tell(to, c->writers[i], reader);
    }
}

void pl_sources_see(struct pl_sources *s, const struct pl_operation *op,
                    struct pl_sources_piece piece,
                    void (*tell)(void *to, uint32_t writer, uint32_t reader), void *to)
{
    struct pl_sources_cell *c = cell_of(s, piece.addr / GRANULE);
    unsigned from = piece.addr % GRANULE, end = from + piece.size;

    if (pl_constraints_reads(op))
        read(c, from, end, op->statement, tell, to);
    for (unsigned i = from; pl_constraints_writes(op->effect) && i < end; i++)
        c->writers[i] = op->statement;
}
