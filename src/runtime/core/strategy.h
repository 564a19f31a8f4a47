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

/* A thread has gone round a loop for nothing: whether that leaves the execution nothing to show. */
bool pl_strategy_idle(const struct pl_operation *op, uint32_t from);

/*
 * After pl_sched_collect(), for a choice at `self`: the thread that a schedule which is followed
 * has go on and that cannot; or NULL.
 */
const struct pl_thread *pl_strategy_misses(const struct pl_thread *self);

/* Whether a schedule says that a signal, or a cancellation, comes before this operation. */
bool pl_strategy_takes(const struct pl_operation *op);

/* Ask it who goes on, but only about n of the options: may[0], may[1], ... */
unsigned pl_strategy_among(const struct pl_view *view, const unsigned *may, unsigned n);

/* Whether the execution at hand, or just over, is a sample. */
bool pl_strategy_samples(void);

#endif /* PL_RUNTIME_CORE_STRATEGY_H */
