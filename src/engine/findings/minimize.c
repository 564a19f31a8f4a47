/* SPDX-License-Identifier: MIT */
/* See minimize.h. */
#include "engine/findings/minimize.h"

#include "base/assert.h"
#include "engine/shared/clock.h"
#include "engine/shared/interrupt.h"

enum {
    GRACE_MS = 2000, /* and half of what is left, if that is less */
    PATIENCE_MS = 10000,
    PROGRESS_AFTER_MS = 1000, /* most are done before anybody could read it */
};

static void show_progress(const struct pl_session *session, const struct pl_request *request,
                          uint64_t elapsed_ms, uint64_t time_ms)
{
    struct pl_session_counts counts = pl_session_count(session);
    struct pl_progress p = {.executions = counts.executions,
                            .max_choices = counts.max_choices,
                            .elapsed_ms = elapsed_ms,
                            .time_ms = time_ms,
                            .jobs = 1,
                            .minimizing = true};

    if (request->progress != NULL && elapsed_ms >= PROGRESS_AFTER_MS)
        request->progress(request->context, &p);
}

/* Whether it has lasted long enough; without anything to show for it a little longer. */
static bool is_over(const struct pl_session *session, const struct pl_rerun_job *job,
                    uint64_t elapsed_ms, uint64_t time_ms)
{
    uint64_t patience = pl_minimize_answer(session)->failing == 0 ? PATIENCE_MS : 0;

    return pl_rerun_over(job->time.tries) || (time_ms != 0 && elapsed_ms >= time_ms + patience);
}

static void wait_for_end(struct pl_session *session, const struct pl_rerun_job *job,
                         const struct pl_request *request, struct pl_err *err)
{
    uint64_t start = pl_clock_ms(), time_ms = request->minimize_ms;

    while (pl_session_step(session, 100, err) == PL_SESSION_RUNNING) {
        uint64_t elapsed = pl_clock_ms() - start;

        if (pl_interrupt_count() > 0 || is_over(session, job, elapsed, time_ms))
            pl_session_stop(session, pl_rerun_grace(&job->time, GRACE_MS) / 2);
        show_progress(session, request, elapsed, time_ms);
    }
}

int pl_minimize_run(struct pl_session *session, const struct pl_rerun_job *job,
                    const struct pl_goal *goal, const struct pl_request *request,
                    struct pl_err *err)
{
    struct pl_rerun_job many = *job;
    PL_ASSERT(goal->budget > 0 && goal->n_members == 0);

    many.settings.keep_going = true;
    if (pl_rerun_open(session, &many, "minimize", false, err) != 0)
        return -1;
    session->slots[0].board->goal = *goal;
    wait_for_end(session, job, request, err);
    bool interrupted = pl_interrupt_count() > 0;

    if (!interrupted && pl_rerun_check(session, err) == 0)
        return 0;
    if (interrupted)
        pl_err_set(err, PL_ERR_TARGET, "it was interrupted");
    else if (session->state == PL_SESSION_KILLED)
        pl_err_set(err, PL_ERR_TARGET, "an execution took longer than the time that there was");
    pl_session_close(session);
    return -1;
}

const struct pl_minimal *pl_minimize_answer(const struct pl_session *session)
{
    PL_ASSERT(session->n_slots == 1);
    return (const struct pl_minimal *)session->slots[0].board->arena;
}

const struct pl_kept *pl_minimize_kept(const struct pl_minimal *answer, uint32_t which)
{
    const struct pl_kept *kept = which >= 1 && which <= 4 ? &answer->kept[which - 1] : NULL;

    /* The answer was written inside the program under test, which may do anything. */
    return kept != NULL && kept->n_choices <= PL_MINIMAL_CHOICES &&
                   kept->n_threads <= PL_THREADS_MAX
               ? kept
               : NULL;
}
