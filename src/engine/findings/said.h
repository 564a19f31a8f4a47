/* SPDX-License-Identifier: MIT */
/*
 * The program's own words: what an execution printed, as far as it was written when the execution
 * ended.  All of it goes into files beside the schedule, the last lines into the finding.
 */
#ifndef PL_ENGINE_FINDINGS_SAID_H
#define PL_ENGINE_FINDINGS_SAID_H

#include "engine/worker/session.h"
#include "result/result.h"

/*
 * Take what the only execution of a session has printed; nothing when it printed nothing.
 * `schedule` is the file beside which the texts are kept, or NULL: they are not.  With `all`
 * every line is taken.
 */
void pl_said_take(struct pl_result_finding *finding, const struct pl_session *session,
                  const char *schedule, bool all);

/* The same without a finding. */
void pl_said_read(struct pl_result_said *out, struct pl_result_said *err,
                  const struct pl_session *session);

#endif /* PL_ENGINE_FINDINGS_SAID_H */
