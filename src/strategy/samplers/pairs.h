/* SPDX-License-Identifier: MIT */
/*
 * Pairs of conflicting operations, by their places in the program, and in which
 * orders they were seen: what the strategy `pairs` searches by, and what is
 * said at the end about coverage.
 */
#ifndef PL_STRATEGY_SAMPLERS_PAIRS_H
#define PL_STRATEGY_SAMPLERS_PAIRS_H

#include "strategy/shared/strategy.h"

/* In place of begin(): another strategy chooses, and what it does is noted. */
void pl_pairs_watch(struct pl_strategy_context *c);

/* Of the context of `pairs`: how many pairs were seen in both orders and in one only. */
struct pl_pair_counts pl_pairs_count(const struct pl_strategy_context *c);

/* How many orders the execution at hand, or the last one, was the first to show. */
uint32_t pl_pairs_fresh(const struct pl_strategy_context *c);

#endif /* PL_STRATEGY_SAMPLERS_PAIRS_H */
