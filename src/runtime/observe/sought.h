/* SPDX-License-Identifier: MIT */
/*
 * Orders that the user seeks (--cover), handed on to model/sought.h; only with pl_stage->seeking.
 *
 * Operations come through the observer, accesses that are no points through pl_sought_pass().  An
 * order that is shown is noted like a finding and kept with its schedule.
 */
#ifndef PL_RUNTIME_OBSERVE_SOUGHT_H
#define PL_RUNTIME_OBSERVE_SOUGHT_H

#include "runtime/core/observer.h"
#include "runtime/ground/stage.h"

#include "strategy/shared/strategy.h"

extern const struct pl_observer pl_sought_observer;

/* An access that is no point. */
void pl_sought_pass(struct pl_thread *t, enum pl_op_kind kind, uint64_t addr, uint64_t size,
                    uint64_t pc);
/* An order that was noted has come to the common: it need not be sought any more. */
void pl_sought_found(const struct pl_finding *f);

#endif /* PL_RUNTIME_OBSERVE_SOUGHT_H */
