/* SPDX-License-Identifier: MIT */
/*
 * A campaign: all executions of one `plait test`, from the folder that is made
 * to the result in words.  Findings are written to files as soon as they are
 * made, so that nothing that has been reported can be lost.
 */
#ifndef PL_ENGINE_CAMPAIGN_CAMPAIGN_H
#define PL_ENGINE_CAMPAIGN_CAMPAIGN_H

#include "base/err.h"
#include "result/request.h"
#include "result/result.h"

/*
 * Explore.  On success *result says what came of it; free it with
 * pl_result_free().  -1 and err when the program could not be run; what had
 * been found until then is in *result all the same.
 */
int pl_campaign_run(const struct pl_request *request, struct pl_result *result, struct pl_err *err);

#endif /* PL_ENGINE_CAMPAIGN_CAMPAIGN_H */
