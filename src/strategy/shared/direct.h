/* SPDX-License-Identifier: MIT */
/*
 * Towards an order that is sought (model/sought.h), whatever strategy chooses.
 *
 * It stands between the scheduler and a strategy that samples: of the threads
 * that could go on it takes away those that would spoil the order, and the strategy
 * chooses among the others.  A thread that has come to the second place waits there until
 * another has performed the first one on what it is about to touch; then it is the only
 * one that may go on.  Once the first one has been performed, nobody changes what it
 * touched but for the second one.  When nobody is left, all may go on: nobody waits
 * for ever.
 *
 * With locks that is not enough: who waits at the second place may hold what
 * others need to come to the first one.  So in some executions a thread that is known to
 * come to the second place waits earlier, at any of its operations.
 */
#ifndef PL_STRATEGY_SHARED_DIRECT_H
#define PL_STRATEGY_SHARED_DIRECT_H

#include "model/sought.h"
#include "strategy/shared/strategy.h"

struct pl_direct {
    bool on;
    uint8_t order;
    pl_tid held;      /* with `same`: who waits there, or PL_TID_NONE */
    uint32_t visits;  /* to the second place before somebody waits */
    uint64_t early;   /* name of the thread that waits earlier; 0: nobody does, */
    uint32_t ordinal; /* and before which of its events */
    uint32_t waited;  /* choices for which somebody did */
    uint64_t rng;
};

/* Execution n begins.  Some of them are left to the strategy alone. */
void pl_direct_begin(struct pl_direct *d, const struct pl_sought *sought, uint64_t seed,
                     uint64_t n);

/*
 * Who of view->next may go on: their indices in may[], which has room for all of them.
 * Returns how many they are, at least one.
 */
unsigned pl_direct_filter(struct pl_direct *d, const struct pl_sought_run *run,
                          const struct pl_view *view, unsigned *may);

/* The operation has been performed. */
void pl_direct_see(struct pl_direct *d, const struct pl_operation *op);

#endif /* PL_STRATEGY_SHARED_DIRECT_H */
