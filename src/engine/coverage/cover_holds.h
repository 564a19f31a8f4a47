/* SPDX-License-Identifier: MIT */
/* What workers have found out about accesses and locks (model/hold.h), by name. */
#ifndef PL_ENGINE_COVERAGE_COVER_HOLDS_H
#define PL_ENGINE_COVERAGE_COVER_HOLDS_H

#include "engine/coverage/cover_campaign.h"

/* Put all of it into the campaign's set. */
void pl_cover_holds_read(struct pl_cover_campaign *c);

/*
 * Once the campaign's set has been saved: of orders that were sought and not shown say which locks
 * keep them from being shown, if any do.  Adds names to the set.
 */
void pl_cover_holds_explain(struct pl_result *result, struct pl_cover_campaign *c);

#endif /* PL_ENGINE_COVERAGE_COVER_HOLDS_H */
