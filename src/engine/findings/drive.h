/* SPDX-License-Identifier: MIT */
/*
 * Find out whether what was predicted can happen: let a worker look for an
 * execution that comes to it; src/strategy/follow/drive.c does the looking.
 *
 * What is driven: a finding `lock-order`, to the deadlock that it predicts, and a
 * finding `race`, to its two accesses next to each other in either order.
 */
#ifndef PL_ENGINE_FINDINGS_DRIVE_H
#define PL_ENGINE_FINDINGS_DRIVE_H

#include "engine/findings/rerun.h"
#include "model/driven.h"
#include "result/request.h"

/* Whether findings of this kind are driven. */
bool pl_drive_wants(unsigned kind);

/* Where its threads are to stand; `threads` are those of its execution. */
struct pl_goal pl_drive_goal(const struct pl_finding *finding, const struct pl_thread_name *threads,
                             unsigned n_threads);

/*
 * Look for it: request->drive executions, at most for request->drive_ms, and not
 * after an interrupt.  On success the answer is on the session's only board, and
 * the caller closes the session; on failure nothing is left to close.
 */
int pl_drive_run(struct pl_session *session, const struct pl_rerun_job *job,
                 const struct pl_goal *goal, const struct pl_request *request, struct pl_err *err);

const struct pl_driven *pl_drive_answer(const struct pl_session *session);

/* The deadlock that the goal is about, among all that was found; NULL when it is not there. */
const struct pl_found *pl_drive_find(const struct pl_common *common, const struct pl_goal *goal);

/* The two executions of a race by who came first, or NULL when there are none. */
const struct pl_driven_side *pl_drive_sides(const struct pl_driven *answer);

#endif /* PL_ENGINE_FINDINGS_DRIVE_H */
