/* SPDX-License-Identifier: MIT */
/*
 * The classes that all workers have seen in this epoch: a hash set in the common.
 *
 * account.c adds the class of each execution that counts.  Looking needs no lock, adding takes
 * that of the common.
 */
#ifndef PL_RUNTIME_CAMPAIGN_SEEN_H
#define PL_RUNTIME_CAMPAIGN_SEEN_H

#include "runtime/ground/stage.h"

/* Add the class of the execution that is over; returns how many there are now, and
 * whether this one is new. */
struct pl_seen pl_seen_add(uint64_t class);
/* Whether the execution counts for how often its class was seen: where a strategy
 * both searches and samples, only its samples do. */
bool pl_seen_counts(void);

#endif /* PL_RUNTIME_CAMPAIGN_SEEN_H */
