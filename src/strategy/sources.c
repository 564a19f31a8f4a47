/* SPDX-License-Identifier: MIT */
/* See sources.h. */
#include "strategy/sources.h"

#include "base/hash.h"
#include "model/cover.h"
#include "model/reads_from.h"
#include "strategy/constraints.h"

enum { GRANULE = PL_SOURCES_GRANULE };
enum { PROBES = 8 }; /* then the cell of another granule is taken over */

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

/*
 * The compiler makes a few instructions of each of these when it knows the size.  Most accesses
 * are of 4 or 8 bytes, and an object counts as 1.
 */
static inline __attribute__((always_inline)) void
touch(uint32_t *writers, unsigned size, bool reads, bool writes, uint32_t statement,
      void (*tell)(void *to, uint32_t writer, uint32_t reader), void *to)
{
    for (unsigned i = 0; reads && i < size; i++) {
        if (writers[i] != PL_COVER_NOTHING && (i == 0 || writers[i] != writers[i - 1]))
            tell(to, writers[i], statement);
    }
    for (unsigned i = 0; writes && i < size; i++)
        writers[i] = statement;
}

void pl_sources_see(struct pl_sources *s, const struct pl_operation *op,
                    struct pl_sources_piece piece,
                    void (*tell)(void *to, uint32_t writer, uint32_t reader), void *to)
{
    uint32_t *writers = cell_of(s, piece.addr / GRANULE)->writers + piece.addr % GRANULE;
    bool reads = pl_constraints_reads(op), writes = pl_constraints_writes(op->effect);

    switch (piece.size) {
    case 1:
        touch(writers, 1, reads, writes, op->statement, tell, to);
        break;
    case 4:
        touch(writers, 4, reads, writes, op->statement, tell, to);
        break;
    case 8:
        touch(writers, 8, reads, writes, op->statement, tell, to);
        break;
    default:
        touch(writers, piece.size, reads, writes, op->statement, tell, to);
        break;
    }
}
