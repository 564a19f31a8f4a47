/* SPDX-License-Identifier: MIT */
/* Orders that the user seeks, see model/sought.h; with pl_stage->seeking. */
#ifndef PL_RUNTIME_OBSERVE_SOUGHT_H
#define PL_RUNTIME_OBSERVE_SOUGHT_H

#include "runtime/core/observer.h"
#include "runtime/ground/stage.h"

#include "strategy/shared/strategy.h"

extern const struct pl_observer pl_sought_observer;

/* An access that is no point. */
void pl_sought_pass(struct pl_thread *t, enum pl_op_kind kind, uint64_t addr, uint64_t size,
                    uint64_t pc);
void pl_sought_found(const struct pl_finding *f); /* what was noted is in the common */
#endif                                            /* PL_RUNTIME_OBSERVE_SOUGHT_H */
