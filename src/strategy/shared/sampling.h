/* SPDX-License-Identifier: MIT */
/* What the strategies that sample have in common. */
#ifndef PL_STRATEGY_SHARED_SAMPLING_H
#define PL_STRATEGY_SHARED_SAMPLING_H

#include "base/rng.h"
#include "strategy/shared/strategy.h"

/*
 * The state of the random number generator at the beginning of execution n: it
 * depends on the campaign's seed, on n and on how often that was drawn in vain, or, for one that is
 * measured, on what is being measured.
 */
static inline uint64_t pl_sampling_seed(const struct pl_strategy_context *c, uint64_t n)
{
    uint64_t seed = pl_hash_mix(c->settings->seed);

    return pl_hash_add(seed, c->measure != 0 ? c->measure : n + ((uint64_t)c->attempt << 40));
}

#endif /* PL_STRATEGY_SHARED_SAMPLING_H */
