/* SPDX-License-Identifier: MIT */
/* What this execution has printed. */
#ifndef PL_RUNTIME_CAMPAIGN_OUTPUTS_H
#define PL_RUNTIME_CAMPAIGN_OUTPUTS_H

#include "runtime/core/observer.h"

extern const struct pl_observer pl_outputs_observer;

#endif /* PL_RUNTIME_CAMPAIGN_OUTPUTS_H */
