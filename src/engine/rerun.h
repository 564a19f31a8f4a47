/* SPDX-License-Identifier: MIT */
/*
 * Run a schedule again: one execution on a board of its own, and the comparison
 * of what it came to with what the schedule promised.
 */
#ifndef PL_ENGINE_RERUN_H
#define PL_ENGINE_RERUN_H

#include "engine/session.h"
#include "engine/symbols.h"
#include "trace/schedule.h"

/* Memory known to be shared: accesses to it are worth a line in the trace. */
struct pl_rerun_known {
    const uint64_t *shared;
    uint64_t n;
};

/*
 * Run it.  `settings` are those of the campaign; strategy and limits are
 * replaced.  `known` is what the campaign has learned about shared memory, or
 * NULL.  On success the caller looks at the session's only board and closes the
 * session; on failure nothing is left to close.
 */
int pl_rerun_run(struct pl_session *session, const struct pl_target *target,
                 const struct pl_judge *judge, const struct pl_settings *settings,
                 const struct pl_schedule *schedule, const struct pl_rerun_known *known, bool trace,
                 struct pl_err *err);

enum pl_rerun_verdict {
    PL_RERUN_SAME,      /* the same finding, or none where none was promised */
    PL_RERUN_DIVERGED,  /* it left the schedule */
    PL_RERUN_DIFFERENT, /* it followed the schedule and ended in another way */
};

/* Compare; `text` gets one sentence without a full stop when not the same. */
enum pl_rerun_verdict pl_rerun_compare(const struct pl_session *session, struct pl_symbols *symbols,
                                       const struct pl_schedule *schedule, unsigned kind,
                                       uint64_t signature, char *text, size_t size);

#endif /* PL_ENGINE_RERUN_H */
