/* SPDX-License-Identifier: MIT */
/*
 * The different texts that executions have printed, for --outputs.
 *
 * The observer looks when an execution has been counted: what it printed is in a memory file that
 * is emptied before the next execution, and becomes an entry of the common if it is new.
 */
#ifndef PL_RUNTIME_CAMPAIGN_OUTPUTS_H
#define PL_RUNTIME_CAMPAIGN_OUTPUTS_H

#include "runtime/core/observer.h"

extern const struct pl_observer pl_outputs_observer;

#endif /* PL_RUNTIME_CAMPAIGN_OUTPUTS_H */
