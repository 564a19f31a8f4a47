/* SPDX-License-Identifier: MIT */
/* The strategy `rff` as a part of another one. */
#ifndef PL_STRATEGY_RFF_RFF_H
#define PL_STRATEGY_RFF_RFF_H

#include "strategy/shared/strategy.h"

/*
 * In place of begin(): another strategy chooses, and what it does is noted.  Observe() and end()
 * are called as usual.
 */
void pl_rff_watch(struct pl_strategy_context *c, uint64_t n);

#endif /* PL_STRATEGY_RFF_RFF_H */
