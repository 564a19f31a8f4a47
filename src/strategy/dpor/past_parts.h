/* SPDX-License-Identifier: MIT */
/*
 * What the files of the past have together, and nobody else needs: past.c has the events and their
 * clocks, past_loop.c rounds for nothing and what ends them, past_record.c what is kept of
 * operations, past_race.c who touched the same before, and past_lock.c what must be taken away so
 * that an operation that waits can be performed.
 *
 * A clock says for each thread up to which event, plus 1, it is known; clocks only grow.
 */
#ifndef PL_STRATEGY_DPOR_PAST_PARTS_H
#define PL_STRATEGY_DPOR_PAST_PARTS_H

#include "base/assert.h"
#include "model/depend.h"
#include "strategy/dpor/past.h"

enum { PL_PAST_GRANULE = 8 }; /* bytes */

/* An operation on its way into the past. */
struct pl_past_arrival {
    const struct pl_operation *op;
    uint32_t number; /* of the event or pending operation */
    bool pending;
    uint16_t thread;
    bool waits;
    bool instead;          /* it is not the event itself, but pl_past_unwoken() of it */
    bool quiet;            /* it races with nobody */
    uint32_t *clock;       /* what happened before it */
    const uint32_t *known; /* what its thread knew, and what made it possible */
    uint32_t *covered;     /* that and what is reached by reversing races found already */
};

/* Add what happened before event e, and e itself. */
static inline void pl_past_join(const struct pl_past *p, uint32_t *clock, uint32_t e)
{
    const struct pl_past_event *from = &p->events[e];
    const uint32_t *other = &p->clocks[from->clock];

    PL_ASSERT(e < p->n_events && from->n_clock <= p->n_threads);
    for (unsigned i = 0; i < from->n_clock; i++) {
        if (other[i] > clock[i])
            clock[i] = other[i];
    }
}

static inline bool pl_past_covers(const struct pl_past *p, const uint32_t *clock, uint32_t e)
{
    return clock[p->events[e].thread] > e;
}

/* past.c */
/* The thread with this number in the execution, UINT16_MAX when it has not been seen. */
static inline uint16_t pl_past_known_thread(const struct pl_past *p, uint32_t tid)
{
    return tid < PL_THREADS_MAX ? p->by_tid[tid] : UINT16_MAX;
}

/* Which of pl_past_thread.sent a cancellation or signal is. */
static inline unsigned pl_past_sent(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_SIGNALS) ? 1 : 0;
}

/* Whether it did not wait, since it was cancelled; a mutex is taken again all the same. */
static inline bool pl_past_is_left(const struct pl_operation *op)
{
    return op->way == PL_WAY_CANCEL && !pl_operation_is(op->kind, PL_ROLE_REGAINS);
}

static inline bool pl_past_copies(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_COPIES);
}

static inline bool pl_past_leaves_barrier(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_OF_SERIAL);
}

/* past_loop.c */
/* The first event, plus 1, that let the thread of the operation go on behind a round for nothing;
 * or 0. */
uint32_t pl_past_loop_first(const struct pl_past *p, const struct pl_operation *op);
/* Add to the clock of such an operation what happened before whatever let its thread go on. */
void pl_past_loop_join(const struct pl_past *p, const struct pl_operation *op, uint16_t thread,
                       uint32_t *clock);

/* past_record.c */
struct pl_past_record pl_past_record_for(const struct pl_operation *op, uint16_t thread);
/* The record of the operation that is the thread's next event. */
uint32_t pl_past_record_next(struct pl_past *p, const struct pl_operation *op, uint16_t thread);

/* past_race.c */
/* The cell of a granule; 0 when there is no room. */
uint32_t pl_past_race_cell(struct pl_past *p, uint64_t granule);
/* Whether the thread that op joins has ended also without what the race takes away. */
bool pl_past_race_ends_without(const struct pl_past *p, const struct pl_past_race *r,
                               const struct pl_operation *op);
void pl_past_race_add(struct pl_past *p, const struct pl_past_race *r);
/* Find the races of an operation and add to its clock what it depends on. */
void pl_past_race_find(struct pl_past *p, const struct pl_past_arrival *a);
/* The signal before event e, which is one as well, that was sent to the same thread; or
 * PL_PAST_NONE. */
uint32_t pl_past_race_signal_before(const struct pl_past *p, uint32_t e);
/* The operation is the event that comes next: later ones will find it. */
void pl_past_race_link(struct pl_past *p, const struct pl_operation *op, struct pl_past_event *e);

/* past_lock.c */
/*
 * Extend what is taken away until the operation, which came at event `until`, could be performed;
 * false when nothing helps, or only what its thread has seen the consequences of: `known`.
 */
bool pl_past_lock_enable(struct pl_past *p, struct pl_past_race *r, const struct pl_operation *op,
                         const uint32_t *known, uint32_t until);
/* Whether that takes away the release of a lock that was taken before the first event. */
bool pl_past_lock_needs_release(struct pl_past *p, const struct pl_past_race *r,
                                const struct pl_operation *op);
/* Whether the operation could have been performed before e: a wait cannot before a release. */
bool pl_past_lock_may_precede(const struct pl_past *p, const struct pl_past_arrival *a,
                              uint64_t granule, uint32_t e);

#endif /* PL_STRATEGY_DPOR_PAST_PARTS_H */
