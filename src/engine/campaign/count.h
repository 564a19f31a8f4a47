/* SPDX-License-Identifier: MIT */
/* From what workers have counted to the numbers of a result. */
#ifndef PL_ENGINE_CAMPAIGN_COUNT_H
#define PL_ENGINE_CAMPAIGN_COUNT_H

#include "engine/worker/session.h"
#include "result/result.h"

/*
 * Take over what the workers have counted, why their search is not complete, their modules and
 * what was printed.  What the tool itself has counted or set stays.
 */
void pl_count_result(struct pl_result *result, const struct pl_session *session, double seconds);

#endif /* PL_ENGINE_CAMPAIGN_COUNT_H */
