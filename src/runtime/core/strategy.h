/* SPDX-License-Identifier: MIT */
/*
 * The strategy as an observer: it is told of the operations that are performed.
 *
 * Choices do not come this way; pl_sched_choose() asks the strategy for them.
 */
#ifndef PL_RUNTIME_CORE_STRATEGY_H
#define PL_RUNTIME_CORE_STRATEGY_H

#include "runtime/core/observer.h"

extern const struct pl_observer pl_strategy_observer;

/* Whether the execution at hand, or just over, is a sample. */
bool pl_strategy_samples(void);

#endif /* PL_RUNTIME_CORE_STRATEGY_H */
