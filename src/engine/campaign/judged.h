/* SPDX-License-Identifier: MIT */
/* What came of the orders of static pairs in a campaign: for its result, and for `plait pairs`. */
#ifndef PL_ENGINE_CAMPAIGN_JUDGED_H
#define PL_ENGINE_CAMPAIGN_JUDGED_H

#include "base/err.h"
#include "engine/findings/findings.h"
#include "engine/worker/session.h"
#include "result/result.h"

/*
 * Fill in result->values, and add what was found out to the file in the results folder.  Nothing is
 * done if no strategy went by pairs.
 */
int pl_judged_finish(struct pl_result *result, const char *home, const struct pl_session *session,
                     struct pl_findings *findings, struct pl_err *err);

#endif /* PL_ENGINE_CAMPAIGN_JUDGED_H */
