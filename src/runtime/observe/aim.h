/* SPDX-License-Identifier: MIT */
/*
 * Executions that are led to orders of static pairs which nobody has shown (strategy/shared/aim.h):
 * every second one of a strategy that samples and has the trait AIMS, while there are such orders.
 */
#ifndef PL_RUNTIME_OBSERVE_AIM_H
#define PL_RUNTIME_OBSERVE_AIM_H

#include "runtime/core/observer.h"

extern const struct pl_observer pl_aim_observer;

/* As aims() of struct pl_strategy_context. */
bool pl_aim_left(void);

/* Of free threads: whether one that waits here may let another come first, which is open. */
bool pl_aim_waits(const struct pl_operation *op);
/* Note what executions have shown since. */
void pl_aim_learn(void);

#endif /* PL_RUNTIME_OBSERVE_AIM_H */
