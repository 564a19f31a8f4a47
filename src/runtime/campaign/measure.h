/* SPDX-License-Identifier: MIT */
/*
 * Measuring how large the program is, for strategies that are PROFILED.
 *
 * The observer decides when an execution begins whether it is measured and counts its operations
 * on the board; account.c calls pl_measure_settle() when the execution is over, which makes the
 * counts the profile of the epoch, in the common.
 */
#ifndef PL_RUNTIME_CAMPAIGN_MEASURE_H
#define PL_RUNTIME_CAMPAIGN_MEASURE_H

#include "runtime/core/observer.h"

extern const struct pl_observer pl_measure_observer;
/* The execution is over.  False if it was measured and the profile is still not known. */
bool pl_measure_settle(enum pl_outcome outcome);

#endif /* PL_RUNTIME_CAMPAIGN_MEASURE_H */
