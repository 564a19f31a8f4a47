/* SPDX-License-Identifier: MIT */
/*
 * A board and the workers that work on it, one at a time, until it is finished.
 *
 * The session starts workers, judges output when a worker asks for it, watches
 * over workers that hang, replaces those that die, and stops them in time.  It
 * knows nothing of findings and schedules.
 */
#ifndef PL_ENGINE_SESSION_H
#define PL_ENGINE_SESSION_H

#include "base/err.h"
#include "engine/judge.h"
#include "engine/target.h"
#include "engine/worker.h"
#include "model/board.h"

#include <stdbool.h>
#include <stdint.h>

enum pl_session_state {
    PL_SESSION_RUNNING,
    PL_SESSION_FINISHED, /* the board says why */
    PL_SESSION_KILLED,   /* stopped, and the worker did not end by itself in time */
    PL_SESSION_FAILED,   /* err says why */
};

struct pl_session {
    struct pl_board *board; /* mapped here at no particular address */
    struct pl_worker_files files;
    const struct pl_target *target;
    const struct pl_judge *judge;
    struct pl_worker worker;
    enum pl_session_state state;
    unsigned slot;
    unsigned fruitless;      /* workers in a row that achieved nothing */
    uint64_t at_start;       /* executions finished when this worker started */
    uint64_t seen;           /* executions finished when we last looked */
    uint64_t seen_execution; /* and the one that ran */
    uint64_t since_ms;       /* when one of them last changed */
    uint64_t kill_at_ms;     /* 0: not stopped */
    bool asked;              /* the worker hangs and has been told to say where */
};

/*
 * Make a board with these settings.  No worker runs yet, so that the caller can
 * add the steps of a schedule.  target and judge must outlive the session.
 */
int pl_session_open(struct pl_session *session, const struct pl_target *target,
                    const struct pl_judge *judge, const struct pl_settings *settings,
                    struct pl_err *err);

/* Do what is due and wait at most `ms` for something to happen.  A signal ends the wait. */
enum pl_session_state pl_session_step(struct pl_session *session, unsigned ms, struct pl_err *err);

/* Let the worker end after its execution, and kill it if that takes longer than grace_ms. */
void pl_session_stop(struct pl_session *session, uint64_t grace_ms);

/* Kill what runs, wait for it, give everything back. */
void pl_session_close(struct pl_session *session);

/* Milliseconds on a clock that never goes back. */
uint64_t pl_session_clock(void);

#endif /* PL_ENGINE_SESSION_H */
