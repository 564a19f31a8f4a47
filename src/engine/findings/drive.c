/* SPDX-License-Identifier: MIT */
/* See drive.h. */
#include "engine/findings/drive.h"

#include "base/assert.h"
#include "engine/shared/clock.h"
#include "engine/shared/interrupt.h"
#include "model/cycle.h"

#include <assert.h>

enum {
    GRACE_MS = 2000,          /* and half of what is left, if that is less */
    PROGRESS_AFTER_MS = 1000, /* most are done before anybody could read it */
};

static_assert((int)PL_GOAL_MEMBERS >= (int)PL_CYCLE_MAX, "a goal has room for a circle");

bool pl_drive_wants(unsigned kind)
{
    return pl_finding_is(kind, PL_FINDING_IS_DRIVABLE);
}

static uint64_t name_of(const struct pl_thread_name *threads, unsigned n_threads, pl_tid tid)
{
    return tid < n_threads ? threads[tid].name : 0;
}

struct pl_goal pl_drive_goal(const struct pl_finding *f, const struct pl_thread_name *threads,
                             unsigned n_threads)
{
    struct pl_goal goal = {.kind = f->kind, .signature = f->signature};

    if (f->kind == PL_FINDING_RACE) {
        for (unsigned i = 0; i < 2 && f->n_accesses == 2; i++)
            goal.members[goal.n_members++] = (struct pl_goal_member){
                .name = name_of(threads, n_threads, f->accesses[i].tid),
                .pc = f->accesses[i].pc,
                .op = PL_OP_NONE,
            };
        return goal;
    }
    unsigned n = f->n_rows < PL_GOAL_MEMBERS ? f->n_rows : PL_GOAL_MEMBERS;

    for (unsigned i = 0; i < n; i++)
        goal.members[goal.n_members++] = (struct pl_goal_member){
            .name = name_of(threads, n_threads, f->rows[i].tid),
            .pc = f->rows[i].pc,
            .since = f->rows[(i + n - 1) % n].since, /* what the one before it waits for */
            .op = f->rows[i].op,
        };
    PL_ASSERT(goal.n_members <= PL_GOAL_MEMBERS);
    return goal;
}

static void show_progress(const struct pl_session *session, const struct pl_request *request,
                          uint64_t elapsed_ms)
{
    struct pl_session_counts counts = pl_session_count(session);
    struct pl_progress p = {.executions = counts.executions,
                            .limit = request->drive,
                            .max_choices = counts.max_choices,
                            .elapsed_ms = elapsed_ms,
                            .time_ms = request->drive_ms,
                            .jobs = 1,
                            .driving = true};

    if (request->progress != NULL && elapsed_ms >= PROGRESS_AFTER_MS)
        request->progress(request->context, &p);
}

static void wait_for_end(struct pl_session *session, const struct pl_rerun_job *job,
                         const struct pl_request *request, struct pl_err *err)
{
    uint64_t start = pl_clock_ms();

    while (pl_session_step(session, 100, err) == PL_SESSION_RUNNING) {
        uint64_t elapsed = pl_clock_ms() - start;

        if (pl_interrupt_count() > 0 || elapsed >= request->drive_ms ||
            pl_rerun_over(job->time.tries))
            pl_session_stop(session, pl_rerun_grace(&job->time, GRACE_MS) / 2);
        show_progress(session, request, elapsed);
    }
}

int pl_drive_run(struct pl_session *session, const struct pl_rerun_job *job,
                 const struct pl_goal *goal, const struct pl_request *request, struct pl_err *err)
{
    struct pl_rerun_job many = *job;
    PL_ASSERT(goal->n_members >= 2 && goal->n_members <= PL_GOAL_MEMBERS && request->drive > 0);

    many.settings.keep_going = true;
    many.settings.detect &= ~pl_detectors_with(PL_DETECTOR_PREDICTS);
    many.settings.detect |= UINT32_C(1) << PL_DETECT_DEADLOCK;
    if (pl_rerun_open(session, &many, "drive", false, err) != 0)
        return -1;
    session->slots[0].board->goal = *goal;
    session->slots[0].board->goal.budget = request->drive;
    wait_for_end(session, job, request, err);
    /* What was stopped in the middle of an execution has an answer all the same. */
    if (session->state == PL_SESSION_KILLED || pl_rerun_check(session, err) == 0)
        return 0;
    pl_session_close(session);
    return -1;
}

const struct pl_driven *pl_drive_answer(const struct pl_session *session)
{
    PL_ASSERT(session->n_slots == 1);
    return (const struct pl_driven *)session->slots[0].board->arena;
}

const struct pl_found *pl_drive_find(const struct pl_common *common, const struct pl_goal *goal)
{
    for (uint32_t i = 0; i < common->n_found && i < PL_COMMON_FINDINGS; i++) {
        if (pl_driven_shows(goal, &common->found[i].finding))
            return &common->found[i];
    }
    return NULL;
}

const struct pl_driven_side *pl_drive_sides(const struct pl_driven *answer)
{
    /* The answer was written inside the program under test, which may do anything. */
    if (answer->best < 1 || answer->best > 2)
        return NULL;
    const struct pl_driven_side *sides = answer->sides[answer->best - 1];

    for (unsigned i = 0; i < 2; i++) {
        if (sides[i].kept.n_choices > PL_MINIMAL_CHOICES || sides[i].kept.n_threads == 0 ||
            sides[i].kept.n_threads > PL_THREADS_MAX)
            return NULL;
    }
    return sides;
}
