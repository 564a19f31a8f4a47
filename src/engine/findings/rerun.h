/* SPDX-License-Identifier: MIT */
/*
 * Run a schedule again: one execution on a board of its own, and the comparison
 * of what it came to with what the schedule promised.
 */
#ifndef PL_ENGINE_FINDINGS_RERUN_H
#define PL_ENGINE_FINDINGS_RERUN_H

#include "engine/symbols/symbols.h"
#include "engine/worker/session.h"
#include "trace/schedule.h"

/* What an earlier session has learned. */
struct pl_rerun_known {
    const uint64_t *shared; /* memory that is: accesses to it are worth a line in the trace */
    uint64_t n;
    const struct pl_sought *sought; /* whose places are known; or NULL */
};

/* How long there is for it, by pl_clock_ms(); 0: as long as it takes. */
struct pl_rerun_time {
    uint64_t tries; /* from then on nothing more is tried: a schedule stays as it is */
    uint64_t last;  /* from then on nothing is run at all */
};

/* A schedule with what is needed to run it.  All of it outlives the job. */
struct pl_rerun_job {
    const struct pl_target *target;
    const struct pl_judge *judge; /* NULL: the output is not judged */
    struct pl_settings settings;  /* those of the campaign; strategy and limits are replaced */
    const struct pl_schedule *schedule;
    struct pl_rerun_known known; /* what the campaign has learned about shared memory */
    /* NULL, or where what the execution read is still on the board: the schedule has none. */
    const struct pl_board *recorded;
    struct pl_rerun_time time;
};

/* What is said where there is none left. */
#define PL_RERUN_OVER "the time was over"

/* Whether a time has come. */
bool pl_rerun_over(uint64_t at);

/* How long what runs may go on: `ms`, or what is left. */
uint64_t pl_rerun_grace(const struct pl_rerun_time *time, uint64_t ms);

/*
 * Make a session of one worker that will follow the schedule by this strategy.
 * On failure nothing is left to close.
 */
int pl_rerun_open(struct pl_session *session, const struct pl_rerun_job *job, const char *strategy,
                  bool trace, struct pl_err *err);

/* The session has come to an end: 0 when that was the regular one. */
int pl_rerun_check(const struct pl_session *session, struct pl_err *err);

/*
 * Run it as it is, with every operation recorded if `trace`.  On success the
 * caller looks at the session's only board and closes the session; on failure
 * nothing is left to close.
 */
int pl_rerun_run(struct pl_session *session, const struct pl_rerun_job *job, bool trace,
                 struct pl_err *err);

/*
 * Follow the first `steps` choices, and draw the rest, up to `tries` times or until something is
 * found.  As pl_rerun_run() otherwise; the session says how many there were.
 */
int pl_rerun_try(struct pl_session *session, const struct pl_rerun_job *job, uint64_t steps,
                 uint64_t tries, struct pl_err *err);

enum pl_rerun_verdict {
    PL_RERUN_SAME,      /* the same finding, or none that ends it where none was promised */
    PL_RERUN_DIVERGED,  /* it left the schedule */
    PL_RERUN_DIFFERENT, /* it followed the schedule and ended in another way */
    PL_RERUN_HELD,      /* the program was changed: it follows the schedule, and nothing is wrong */
    PL_RERUN_GONE,      /* the same: threads cannot take turns like this any more */
};

/* What was found, among all that was; NULL when it was not. */
const struct pl_found *pl_rerun_find(const struct pl_common *common, unsigned kind,
                                     uint64_t signature);

/* Compare; `text` gets one sentence without a full stop when not the same. */
enum pl_rerun_verdict pl_rerun_compare(const struct pl_session *session, struct pl_symbols *symbols,
                                       const struct pl_schedule *schedule, unsigned kind,
                                       uint64_t signature, char *text, size_t size);

#endif /* PL_ENGINE_FINDINGS_RERUN_H */
