/* SPDX-License-Identifier: MIT */
/*
 * The other order of two conflicting events that are no race.
 *
 * A race is a pair of events with nothing in between that forces their order.  Of two
 * accesses in critical sections only the acquisitions race, and of two accesses between
 * which other threads have handed on a lock nothing does.  The other order of such a
 * pair may be possible all the same: y came before x, and x comes before y if the thread of y
 * stops early enough.  That is not in the middle of a critical section which x, or
 * what leads to x, has to enter, and not before something of its own that x needs: the
 * creation of its thread, a signal, the end of a thread that is joined.
 */
#ifndef PL_STRATEGY_HAPSET_ORDERS_H
#define PL_STRATEGY_HAPSET_ORDERS_H

#include "base/table.h"
#include "strategy/dpor/past.h"
#include "strategy/hapset/predecessors.h"

enum { PL_ORDERS_LOCKS = 32 };

/* The latest event of a statement and a thread on a granule, and the first. */
struct pl_orders_touch {
    uint32_t event, first, next; /* 0: none is next */
    uint8_t effect, offset, size;
};

struct pl_orders_cell {
    uint64_t granule;
    uint32_t first;
};

/* A lock that what leads to x takes, and where last. */
struct pl_orders_lock {
    uint64_t lock;
    uint32_t event;
};

/* In memory that is handed over; used for one execution at a time. */
struct pl_orders {
    uint32_t *needs; /* by event: what made it possible, an event plus 1; 0: nothing */
    uint8_t *held;   /* by event: how many locks the thread has after it */
    struct pl_orders_cell *cells;
    struct pl_orders_touch *touches;
    struct pl_table by_granule;
    uint32_t cells_max, touches_max, needs_max, n_cells, n_touches;
    uint32_t until[PL_THREADS_MAX]; /* by thread: the last event that leads to x, plus 1 */
    /* While these are found: the thread's next that does, and the threads that have one. */
    uint32_t next[PL_THREADS_MAX], n_reached;
    uint16_t reached[PL_THREADS_MAX];
    struct pl_orders_lock locks[PL_ORDERS_LOCKS];
    uint32_t n_locks;
    uint32_t floor; /* the thread of y must not stop before an event with a smaller number */
};

/* Lay out in `size` bytes of zeroes. */
void pl_orders_start(struct pl_orders *o, unsigned char *memory, uint64_t size);

/* The operation has become the last event of the past. */
void pl_orders_note(struct pl_orders *o, const struct pl_past *p, const struct pl_operation *op);

/*
 * Tell every pair of events y, x of different threads, y before x, that conflict; of several
 * events of one statement and thread only the last before x is told as y.
 */
void pl_orders_find(struct pl_orders *o, const struct pl_past *p,
                    const struct pl_predecessors_event *events, uint32_t n,
                    void (*tell)(void *to, uint32_t y, uint32_t x), void *to);

/*
 * After that: tell for each statement of a thread the pair of events y, x of which y came first
 * although it is x that would have to, to come before everything that conflicts with it (`first`);
 * and that of which x came last although y would have to, to come after everything.
 */
void pl_orders_ends(const struct pl_orders *o, const struct pl_predecessors_event *events,
                    void (*tell)(void *to, uint32_t y, uint32_t x, bool first), void *to);

/*
 * Whether x could come before y, as far as its execution shows.  After that the two others
 * may be asked about the pair.
 */
bool pl_orders_possible(struct pl_orders *o, const struct pl_past *p, uint32_t y, uint32_t x);
/*
 * Where the thread of y would hold a lock that x needs: its acquisition, if it stopped
 * before event e; PL_PAST_NONE if it holds none of them there.
 */
uint32_t pl_orders_obstacle(const struct pl_orders *o, const struct pl_past *p, uint32_t e);
/*
 * Whether x cannot be the last that came before y although it comes before it, if the thread of y
 * stops before event `stop`: because one of the two threads touches the same between, without
 * letting the other in.
 */
bool pl_orders_hidden(const struct pl_orders *o, const struct pl_past *p,
                      const struct pl_predecessors_event *events, uint32_t stop, uint32_t y,
                      uint32_t x);
/* Whether event e is x or leads to it. */
static inline bool pl_orders_leads(const struct pl_orders *o, const struct pl_past *p, uint32_t e)
{
    return e < o->until[p->events[e].thread];
}

#endif /* PL_STRATEGY_HAPSET_ORDERS_H */
