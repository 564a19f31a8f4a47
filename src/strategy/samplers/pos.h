/* SPDX-License-Identifier: MIT */
/* The strategy `pos` as a part of another one, which leaves it fewer to choose from. */
#ifndef PL_STRATEGY_SAMPLERS_POS_H
#define PL_STRATEGY_SAMPLERS_POS_H

#include "strategy/shared/strategy.h"

enum { PL_POS_ROOM = 96 << 10 }; /* in its arena */

/* Which of n threads goes on, by what they are about to do; c is the one that pos began with. */
unsigned pl_pos_choose(struct pl_strategy_context *c, const struct pl_operation *const *next,
                       unsigned n);

#endif /* PL_STRATEGY_SAMPLERS_POS_H */
