/* SPDX-License-Identifier: MIT */
/*
 * A plan: steps that are taken wherever an execution comes to their places, in
 * whatever order.  Unlike a replay it never fails.  Where it says nothing, or
 * what it says cannot be done, the running thread goes on; where that cannot go
 * on, the thread whose step is due next.
 */
#ifndef PL_STRATEGY_SHARED_PLAN_H
#define PL_STRATEGY_SHARED_PLAN_H

#include "base/table.h"
#include "model/minimal.h"
#include "strategy/shared/strategy.h"

enum { PL_PLAN_STOPS = 2 * PL_THREADS_MAX };

/* Where a new thread stopped for the first time. */
struct pl_plan_stop {
    uint64_t name; /* of the thread; 0: a free slot */
    uint32_t ordinal;
};

struct pl_plan {
    uint64_t n;
    uint64_t from, to;  /* steps that are left out, as if they were not there */
    uint64_t cursor;    /* steps before it are behind us */
    uint32_t execution; /* its number, from 1 */
    bool faithful;      /* see pl_plan_adopt() */
    pl_tid n_old;       /* threads that exist when an execution begins */
    unsigned n_stops;
    struct pl_plan_stop stops[PL_PLAN_STOPS]; /* a table */
    struct pl_step steps[PL_MINIMAL_CHOICES];
    uint32_t used[PL_MINIMAL_CHOICES]; /* the execution in which it was taken last */
    struct pl_table table;             /* of steps, by place */
    uint64_t slots[PL_TABLE_ROOM(2 * PL_MINIMAL_CHOICES, 2 * PL_MINIMAL_CHOICES)];
};

/*
 * Take over a schedule, or the choices of an execution that was kept.  Both may
 * have been made when less memory was known to be shared.  A new thread goes by
 * itself up to its first operation, which may come sooner now: a faithful plan
 * lets it go on to where it stopped then.  A schedule is always taken so.
 */
bool pl_plan_read(struct pl_plan *plan, const struct pl_step *steps, uint64_t n); /* or too long */
void pl_plan_adopt(struct pl_plan *plan, const struct pl_kept *kept, bool faithful);

/* An execution begins, with so many threads: the others are new ones. */
void pl_plan_begin(struct pl_plan *plan, pl_tid n_threads);

unsigned pl_plan_choose(struct pl_plan *plan, const struct pl_view *view);
/* For `takes` of struct pl_strategy. */
bool pl_plan_takes(const struct pl_plan *plan, const struct pl_operation *op);

#endif /* PL_STRATEGY_SHARED_PLAN_H */
