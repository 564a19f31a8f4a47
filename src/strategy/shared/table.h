/* SPDX-License-Identifier: MIT */
/* The strategies by name; model/strategies.def is the list. */
#ifndef PL_STRATEGY_SHARED_TABLE_H
#define PL_STRATEGY_SHARED_TABLE_H

#include "strategy/shared/strategy.h"

#define PL_STRATEGY(name, ...) extern const struct pl_strategy pl_##name;
#include "model/strategies.def"
#undef PL_STRATEGY

#endif /* PL_STRATEGY_SHARED_TABLE_H */
