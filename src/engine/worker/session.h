/* SPDX-License-Identifier: MIT */
/*
 * One or several workers that explore together until that is finished.
 *
 * The session makes what they share, starts them, judges output when one of
 * them asks for it, watches over those that hang, replaces those that die, and
 * stops them in time.  It knows nothing of findings and schedules.
 */
#ifndef PL_ENGINE_WORKER_SESSION_H
#define PL_ENGINE_WORKER_SESSION_H

#include "base/err.h"
#include "engine/worker/slot.h"
#include "engine/worker/sought.h"

#include <stdbool.h>
#include <stdint.h>

enum pl_session_state {
    PL_SESSION_RUNNING,
    PL_SESSION_FINISHED, /* the common says why */
    PL_SESSION_KILLED,   /* stopped, and a worker did not end by itself in time */
    PL_SESSION_FAILED,   /* err says why */
};

struct pl_session {
    struct pl_common *common;     /* mapped here at no particular address */
    struct pl_worker_files files; /* those of all workers */
    unsigned n_slots;
    struct pl_slot *slots; /* one per worker */
    enum pl_session_state state;
    uint64_t kill_at_ms;           /* 0: not stopped */
    bool killed;                   /* by us, before it was finished */
    struct pl_sought_names sought; /* orders of settings.cover */
};

/* What all workers have counted, together: the rows of result.def that each of them counts. */
struct pl_session_counts {
#define PL_RESULT_NUMBER(name, from, key, when, part, sentence) PL_COUNTED_ON_BOARD_##from(name)
#include "model/result.def"
    struct pl_times times;
    struct pl_coverage coverage;
    const struct pl_board *slowest; /* one with the restart that goes furthest */
};

/*
 * Make the boards of `jobs` workers with these settings.  No worker runs yet, so
 * that the caller can add the steps of a schedule.  target and judge must
 * outlive the session.
 */
int pl_session_open(struct pl_session *session, const struct pl_target *target,
                    const struct pl_judge *judge, const struct pl_settings *settings, unsigned jobs,
                    struct pl_err *err);

/* Do what is due and wait at most `ms` for something to happen.  A signal ends the wait. */
enum pl_session_state pl_session_step(struct pl_session *session, unsigned ms, struct pl_err *err);

/* Let workers end after their executions, and kill them if that takes longer than grace_ms. */
void pl_session_stop(struct pl_session *session, uint64_t grace_ms);

/* Kill what runs, wait for it, give everything back. */
void pl_session_close(struct pl_session *session);

struct pl_session_counts pl_session_count(const struct pl_session *session);

/* How much is still to come; nothing when all has been explored. */
struct pl_outlook pl_session_outlook(const struct pl_session *session);

/* The board of the worker that gave up, or the first one. */
const struct pl_board *pl_session_culprit(const struct pl_session *session);

#endif /* PL_ENGINE_WORKER_SESSION_H */
