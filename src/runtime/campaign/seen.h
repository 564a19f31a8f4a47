/* SPDX-License-Identifier: MIT */
/* See seen.c. */
#ifndef PL_RUNTIME_CAMPAIGN_SEEN_H
#define PL_RUNTIME_CAMPAIGN_SEEN_H

#include "runtime/ground/stage.h"

struct pl_seen pl_seen_add(uint64_t class);
/* Whether the execution counts for how often its class was seen. */
bool pl_seen_counts(void);

#endif /* PL_RUNTIME_CAMPAIGN_SEEN_H */
