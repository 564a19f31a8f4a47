/* SPDX-License-Identifier: MIT */
/* See measure.c. */
#ifndef PL_RUNTIME_CAMPAIGN_MEASURE_H
#define PL_RUNTIME_CAMPAIGN_MEASURE_H

#include "runtime/core/observer.h"

extern const struct pl_observer pl_measure_observer;
bool pl_measure_settle(enum pl_outcome outcome); /* whether the size is known now */

#endif /* PL_RUNTIME_CAMPAIGN_MEASURE_H */
