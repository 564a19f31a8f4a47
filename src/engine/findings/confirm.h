/* SPDX-License-Identifier: MIT */
/*
 * What comes of predictions: drive.h tries to bring them about, here the answer
 * becomes words and files.
 */
#ifndef PL_ENGINE_FINDINGS_CONFIRM_H
#define PL_ENGINE_FINDINGS_CONFIRM_H

#include "engine/findings/drive.h"
#include "engine/findings/record.h"
#include "engine/worker/origin.h"

/* A prediction. */
struct pl_confirm {
    const struct pl_request *request;
    struct pl_origin origin;
    struct pl_record record; /* of the execution */
    struct pl_rerun_job job; /* to run it again */
};

/*
 * Look for the deadlock that a finding `lock-order` predicts.  True when it was
 * reached: *reached is the execution, and the caller closes the session.
 */
bool pl_confirm_deadlock(const struct pl_confirm *c, struct pl_session *session,
                         struct pl_origin *reached, struct pl_result_driven *out);

/*
 * See the two accesses of a race next to each other in either order, and say what
 * that changes.  out->driven gets the answer; the schedules go to the folder.
 */
void pl_confirm_race(const struct pl_confirm *c, unsigned number, struct pl_result_finding *out);

#endif /* PL_ENGINE_FINDINGS_CONFIRM_H */
