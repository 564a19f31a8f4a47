/* SPDX-License-Identifier: MIT */
/* See sources.h. */
#include "strategy/rff/sources.h"

#include "base/claimed.h"
#include "base/hash.h"
#include "model/cover.h"
#include "model/reads_from.h"
#include "strategy/rff/constraints.h"

enum { GRANULE = PL_SOURCES_GRANULE };
enum { PROBES = 8 }; /* then the cell of another granule is taken over */

void pl_sources_begin(struct pl_sources *s)
{
    s->stamp++;
}

static struct pl_sources_cell *cell_of(struct pl_sources *s, uint64_t granule)
{
    struct pl_claimed cells = PL_CLAIMED(s->cells);
    uint64_t home = pl_hash_mix(granule);
    struct pl_sources_cell *c = NULL;
    uint32_t nobody = PL_READS_FROM_INITIAL;

    for (unsigned i = 0; i < PROBES; i++) {
        c = pl_claimed_entry(cells, home, i);
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

/* Whether the same statement wrote all bytes, as a rule so; without a branch for each of them. */
static inline __attribute__((always_inline)) bool is_one(const uint32_t *writers, unsigned size)
{
    uint32_t differ = 0;

    for (unsigned i = 1; i < size; i++)
        differ |= writers[i] ^ writers[0];
    return differ == 0;
}

static unsigned list(const uint32_t *writers, unsigned size, uint32_t *from)
{
    unsigned n = 0;

    for (unsigned i = 0; i < size; i++) {
        if (writers[i] != PL_COVER_NOTHING && (i == 0 || writers[i] != writers[i - 1]))
            from[n++] = writers[i];
    }
    return n;
}

/* The compiler makes a few instructions of this when it knows the size. */
static inline __attribute__((always_inline)) unsigned
touch(uint32_t *writers, unsigned size, const struct pl_operation *op, uint32_t *from)
{
    unsigned n = 0;

    if (pl_constraints_reads(op)) {
        from[0] = writers[0];
        n = is_one(writers, size) ? from[0] != PL_COVER_NOTHING : list(writers, size, from);
    }
    if (pl_constraints_writes(op->effect)) {
        for (unsigned i = 0; i < size; i++)
            writers[i] = op->statement;
    }
    return n;
}

unsigned pl_sources_see(struct pl_sources *s, const struct pl_operation *op,
                        struct pl_sources_piece piece, uint32_t from[PL_SOURCES_GRANULE])
{
    PL_ASSERT(piece.size > 0 && piece.addr % GRANULE + piece.size <= GRANULE);
    uint32_t *writers = cell_of(s, piece.addr / GRANULE)->writers + piece.addr % GRANULE;

    switch (piece.size) { /* an object counts as one byte */
    case 1:
        return touch(writers, 1, op, from);
    case 4:
        return touch(writers, 4, op, from);
    case 8:
        return touch(writers, 8, op, from);
    default:
        return touch(writers, piece.size, op, from);
    }
}
