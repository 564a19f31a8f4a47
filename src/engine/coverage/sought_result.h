/* SPDX-License-Identifier: MIT */
/* What became of the orders that were sought, in words. */
#ifndef PL_ENGINE_COVERAGE_SOUGHT_RESULT_H
#define PL_ENGINE_COVERAGE_SOUGHT_RESULT_H

#include "engine/worker/session.h"
#include "result/result.h"

/* Once the search has ended and the result says whether it was complete: fill result->orders. */
void pl_sought_result(struct pl_result *result, struct pl_session *session);

#endif /* PL_ENGINE_COVERAGE_SOUGHT_RESULT_H */
