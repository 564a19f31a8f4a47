/* SPDX-License-Identifier: MIT */
/*
 * What the strategy `noise` keeps in its arena.  It decides between executions only; while
 * one runs, its threads look here what they are to do (runtime/free/noise.c).
 */
#ifndef PL_STRATEGY_NOISE_NOISE_H
#define PL_STRATEGY_NOISE_NOISE_H

#include "strategy/noise/cost.h"
#include "strategy/noise/disturb.h"
#include "strategy/shared/strategy.h"

struct pl_noise_state {
    struct pl_disturb_plan plan;
    struct pl_cost cost;
    double weight, threads; /* of an execution, on average: see pl_disturb_means */
    uint64_t n_weighed;
    double news; /* of an execution that asked for it, on average */
    uint64_t n_asking;
    /* The execution at hand: */
    uint64_t number, counted; /* counted: the last one whose end has been */
    struct pl_disturb_run run;
    struct pl_cost_limit limit;
    uint64_t rng; /* of what is chosen in it */
};

/* Crashes and hangs say nothing about how long an execution takes. */
static inline bool pl_noise_ran(const struct pl_board *board, enum pl_outcome outcome)
{
    return outcome == PL_OUTCOME_DONE ||
           (outcome == PL_OUTCOME_FINDING &&
            pl_finding_is(board->finding.kind, PL_FINDING_IS_FULL_RUN));
}

#endif /* PL_STRATEGY_NOISE_NOISE_H */
