/* SPDX-License-Identifier: MIT */
/*
 * Which event of an execution is immediately dependent on which: the pairs that
 * predecessor sets are made of (model/hapset.h).
 *
 * For each event, of each other thread the last event that touched the same thing
 * is found; if the two conflict, and the event's own thread has not touched it in
 * between, the pair is told.  So of two accesses that are meant to be atomic the second has
 * no predecessor in an execution where they are.  What conflicts is what the dependency
 * relation says (model/depend.h), so that reads and writes, acquisitions of a
 * lock, waiting and signalling do.  Releases of locks are ignored: of a thread that has had
 * the lock, its acquisition is the last event.  (The paper excepts recursive
 * locks; here the inner locks and unlocks touch nothing, which leaves no exception.)
 *
 * A statement may also come with nothing before it: of other threads nothing has touched the same
 * in conflict with it so far.  And one that waits for another thread may be its thread's last there
 * with nothing after it that conflicts.  Both are told as predecessors that are no statements,
 * PL_HAPSET_FIRST and PL_HAPSET_LAST.
 *
 * Events are kept in a form of their own, in the order of the execution.
 */
#ifndef PL_STRATEGY_HAPSET_PREDECESSORS_H
#define PL_STRATEGY_HAPSET_PREDECESSORS_H

#include "base/table.h"
#include "model/operation.h"

/* What an event touches: bytes from `addr` on. */
struct pl_predecessors_touch {
    uint64_t addr;
    uint32_t size; /* 0: nothing */
    uint8_t effect;
};

struct pl_predecessors_event {
    struct pl_predecessors_touch touches[2];
    uint32_t statement;
    pl_tid tid;
    bool waits; /* until another thread does something */
};

/* The last touches of a granule, the latest first. */
struct pl_predecessors_last {
    uint32_t next; /* 0: none */
    uint32_t statement;
    pl_tid tid;
    uint8_t effect, offset, size;
    bool waits;
    bool followed; /* by one of another thread that conflicts with it */
};

struct pl_predecessors_cell {
    uint64_t granule;
    uint32_t first;   /* in lasts[] */
    uint32_t only[4]; /* by effect: the thread that had it, plus 1; UINT32_MAX: several did */
    bool waits;       /* one of lasts[] does */
};

/* In memory that is handed over; used for one execution at a time. */
struct pl_predecessors {
    struct pl_predecessors_cell *cells;
    struct pl_predecessors_last *lasts;
    struct pl_table by_granule;
    uint32_t cells_max, lasts_max, n_cells, n_lasts;
    uint32_t query;                 /* number of the look at a granule */
    uint32_t asked[PL_THREADS_MAX]; /* the last one that found something of the thread */
};

/* Lay out in `size` bytes of zeroes. */
void pl_predecessors_start(struct pl_predecessors *p, unsigned char *memory, uint64_t size);

void pl_predecessors_note(struct pl_predecessors_event *e, const struct pl_operation *op);

static inline struct pl_predecessors_event pl_predecessors_event(const struct pl_operation *op)
{
    struct pl_predecessors_event e;

    pl_predecessors_note(&e, op);
    return e;
}

enum pl_predecessors_relation {
    PL_PREDECESSORS_APART,
    PL_PREDECESSORS_MEET, /* they touch the same, */
    PL_PREDECESSORS_CONFLICT,
};
/* Of two events of different threads. */
enum pl_predecessors_relation pl_predecessors_relation(const struct pl_predecessors_event *a,
                                                       const struct pl_predecessors_event *b);

/*
 * Tell every pair of the n events, except those that end before event `from`.  A pair may be told
 * several times.  False when there was not enough room: then not all were.
 */
bool pl_predecessors_find(struct pl_predecessors *p, const struct pl_predecessors_event *events,
                          uint32_t from, uint32_t n,
                          void (*tell)(void *to, uint32_t statement, uint32_t predecessor),
                          void *to);

#endif /* PL_STRATEGY_HAPSET_PREDECESSORS_H */
