/* SPDX-License-Identifier: MIT */
/* The strategy as one who is told what threads do. */
#ifndef PL_RUNTIME_CORE_STRATEGY_H
#define PL_RUNTIME_CORE_STRATEGY_H

#include "runtime/core/observer.h"

extern const struct pl_observer pl_strategy_observer;

/* Whether the execution at hand, or just over, is a sample. */
bool pl_strategy_samples(void);

#endif /* PL_RUNTIME_CORE_STRATEGY_H */
