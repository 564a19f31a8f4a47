/* SPDX-License-Identifier: MIT */
/* What workers have found out about accesses and locks (model/hold.h), by name. */
#ifndef PL_ENGINE_COVER_HOLDS_H
#define PL_ENGINE_COVER_HOLDS_H

#include "engine/cover_campaign.h"

/* Put all of it into the campaign's set. */
void pl_cover_holds_read(struct pl_cover_campaign *c);

/*
 * Once the campaign's set is whole: of orders that were sought and not shown say which locks keep
 * them from being shown, if any do.
 */
void pl_cover_holds_explain(struct pl_result *result, const struct pl_cover_campaign *c);

#endif /* PL_ENGINE_COVER_HOLDS_H */
