/* SPDX-License-Identifier: MIT */
/*
 * Depth-first search over all schedules with at most so many preemptions.  As in
 * dfs.c the path to the current execution is kept; a choice that would interrupt
 * once too often has one option.
 */
#ifndef PL_STRATEGY_BOUNDED_H
#define PL_STRATEGY_BOUNDED_H

#include "model/minimal.h"
#include "strategy/strategy.h"

struct pl_bounded_frame {
    uint16_t order; /* position in the order of trying */
    uint16_t end;   /* orders from here on are not allowed */
    uint16_t options;
};

struct pl_bounded {
    uint64_t n;     /* frames of the path to repeat */
    uint64_t depth; /* choices made in this execution */
    uint32_t bound, preemptions;
    bool strayed; /* something was left out: exhausted does not mean all */
    struct pl_bounded_frame path[PL_MINIMAL_CHOICES];
};

/* All from the beginning with another bound. */
void pl_bounded_start(struct pl_bounded *b, uint32_t bound);

/* An execution begins. */
void pl_bounded_begin(struct pl_bounded *b);

unsigned pl_bounded_choose(struct pl_bounded *b, const struct pl_view *view);

/* Go over to the next path; false when there is none. */
bool pl_bounded_next(struct pl_bounded *b);

#endif /* PL_STRATEGY_BOUNDED_H */
