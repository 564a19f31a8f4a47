/* SPDX-License-Identifier: MIT */
/*
 * From an execution that failed to the files that show it: made simpler, replayed
 * to see that the file shows the bug again, annotated with every operation and
 * source line, and explained by one that passes.
 *
 * The simpler schedule counts only if it replays and shows the same finding;
 * otherwise the original stays, and the finding says why.
 */
#ifndef PL_ENGINE_FINDINGS_SETTLE_H
#define PL_ENGINE_FINDINGS_SETTLE_H

#include "engine/findings/record.h"
#include "engine/findings/rerun.h"

struct pl_settle {
    const struct pl_request *request;
    struct pl_record record;      /* of the execution; what it found is filled in there too */
    struct pl_rerun_job job;      /* to run it again */
    uint64_t events;              /* operations and accesses, from the beginning of the program */
    char passing[PL_RESULT_LINE]; /* path for the schedule that passes */
    uint64_t spent;               /* out: of request->budget */
    bool only;                    /* out: there are no two executions of this program */
};

/*
 * Write a simpler schedule to out->schedule, and one that passes.  False when
 * nothing was written: out->unminimized says why.
 */
bool pl_settle_minimize(struct pl_settle *s, struct pl_result_finding *out, uint64_t budget);

/* Write the schedule as it is; out->unreplayed says why it does not replay. */
void pl_settle_as_found(struct pl_settle *s, struct pl_result_finding *out);

/*
 * What did not replay is replayed once more exactly as `plait replay` will, and if that does not
 * help, with restart by exec, which *exec says.  Whether it shows the same now.
 */
bool pl_settle_again(struct pl_settle *s, struct pl_result_finding *out, bool *exec);

#endif /* PL_ENGINE_FINDINGS_SETTLE_H */
