/* SPDX-License-Identifier: MIT */
/*
 * Let a worker look for a simpler schedule that shows the same finding, and for
 * the choice that decides; src/strategy/follow/minimize.c does the looking.
 */
#ifndef PL_ENGINE_FINDINGS_MINIMIZE_H
#define PL_ENGINE_FINDINGS_MINIMIZE_H

#include "engine/findings/rerun.h"
#include "model/minimal.h"
#include "result/request.h"

/*
 * Look for it, as long as the goal's budget lasts, at most for the request's
 * minimize_ms (0: no limit), and not after an interrupt.  On success the answer
 * is on the session's only board, and the caller closes the session; on failure
 * nothing is left to close.
 */
int pl_minimize_run(struct pl_session *session, const struct pl_rerun_job *job,
                    const struct pl_goal *goal, const struct pl_request *request,
                    struct pl_err *err);

/* The answer; its `failing` is 0 when the schedule did not show the finding. */
const struct pl_minimal *pl_minimize_answer(const struct pl_session *session);

/* The execution kept as number `which` of the answer, or NULL. */
const struct pl_kept *pl_minimize_kept(const struct pl_minimal *answer, uint32_t which);

#endif /* PL_ENGINE_FINDINGS_MINIMIZE_H */
