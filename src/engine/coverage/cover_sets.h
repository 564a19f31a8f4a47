/* SPDX-License-Identifier: MIT */
/*
 * Predecessor sets (model/hapset.h) and reads-from pairs (model/reads_from.h) of a campaign: what
 * it learns is named and kept with the rest of its coverage; what earlier campaigns have learned is
 * told to workers.
 *
 * Statements of other campaigns are recognised by their names, so that sets hold for
 * other inputs, and after a rebuild that leaves the statements where they are.  Which
 * statements there are is known only once they have been executed: workers ask
 * again after an execution that had new ones.
 */
#ifndef PL_ENGINE_COVERAGE_COVER_SETS_H
#define PL_ENGINE_COVERAGE_COVER_SETS_H

#include "engine/coverage/cover_campaign.h"

/* Read the file, or that of the program in the folder, which the user gave.  -1 with err if it is
 * none. */
int pl_cover_sets_open(struct pl_cover_campaign *c, const char *path, const char *program,
                       struct pl_err *err);

/* Tell workers what is given about the statements that they have executed so far. */
void pl_cover_sets_tell(struct pl_cover_campaign *c);

/* How many of the given statements this campaign has executed: none of those of another program. */
uint64_t pl_cover_sets_met(const struct pl_cover_campaign *c);

/* Put what has been learned since the last call into the campaign's set. */
void pl_cover_sets_read(struct pl_cover_campaign *c);

#endif /* PL_ENGINE_COVERAGE_COVER_SETS_H */
