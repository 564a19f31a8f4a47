/* SPDX-License-Identifier: MIT */
/* See rerun.h. */
#include "engine/findings/rerun.h"

#include "base/assert.h"
#include "engine/findings/describe.h"
#include "engine/shared/clock.h"
#include "engine/shared/interrupt.h"
#include "engine/worker/inputs.h"

#include <stdio.h>
#include <string.h>

enum { INTERRUPT_GRACE_MS = 1000 };

bool pl_rerun_over(uint64_t at)
{
    return at != 0 && pl_clock_ms() >= at;
}

uint64_t pl_rerun_grace(const struct pl_rerun_time *time, uint64_t ms)
{
    uint64_t now = pl_clock_ms();

    if (time->last == 0 || now + ms <= time->last)
        return ms;
    return now < time->last ? time->last - now : 0;
}

static int put_steps(struct pl_board *board, const struct pl_schedule *schedule, struct pl_err *err)
{
    size_t n = pl_schedule_steps(schedule, board->steps, PL_BOARD_STEPS);

    if (n > PL_BOARD_STEPS)
        return pl_err_set(err, PL_ERR_USER,
                          "the schedule has %zu choices, more than the %d that can be replayed. "
                          "Look for a shorter one with --max-steps.",
                          n, (int)PL_BOARD_STEPS);
    board->n_steps = n;
    return 0;
}

int pl_rerun_check(const struct pl_session *session, struct pl_err *err)
{
    PL_ASSERT(session->state != PL_SESSION_RUNNING);
    if (session->state == PL_SESSION_FAILED)
        return -1;
    if (session->state == PL_SESSION_KILLED)
        return pl_err_set(err, PL_ERR_TARGET, "interrupted. Start it again.");
    if (session->common->why == PL_WHY_ERROR) {
        const struct pl_board *culprit = pl_session_culprit(session);
        bool ours = culprit->error_class == PL_ERR_INTERNAL;

        /* The user has not chosen strategy and settings of a rerun: the rest is the target's. */
        return pl_err_set(err, ours ? PL_ERR_INTERNAL : PL_ERR_TARGET, "%s", culprit->error);
    }
    return 0;
}

int pl_rerun_open(struct pl_session *session, const struct pl_rerun_job *job, const char *strategy,
                  bool trace, struct pl_err *err)
{
    struct pl_settings settings = job->settings;

    PL_ASSERT(job->target != NULL && job->schedule != NULL);
    memset(settings.strategy, 0, sizeof(settings.strategy));
    memset(settings.parameters, 0, sizeof(settings.parameters));
    snprintf(settings.strategy, sizeof(settings.strategy), "%s", strategy);
    settings.executions = 0;
    settings.max_operations = 0; /* the schedule says who goes on */
    settings.suppressing = settings.listing = settings.stacks = settings.covering = false;
    settings.seek = false; /* orders are noted, and nobody is led there */
    settings.marks = 0;
    settings.trace = trace;
    settings.record_inputs = 0; /* the schedule has what is to be read, or nobody has */
    if (pl_session_open(session, job->target, job->judge, &settings, 1, err) != 0)
        return -1;
    PL_ASSERT(session->n_slots == 1 && job->known.n <= PL_BOARD_SHARED);
    if (job->known.n > 0)
        memcpy(session->common->shared, job->known.shared, job->known.n * sizeof(uint64_t));
    session->common->n_shared = job->known.n;
    session->slots[0].board->goal =
        (struct pl_goal){.kind = job->schedule->finding, .signature = job->schedule->signature};
    session->slots[0].board->threads_foreseen =
        (uint32_t)(job->schedule->n_threads < PL_THREADS_MAX ? job->schedule->n_threads
                                                             : PL_THREADS_MAX);
    if (job->known.sought != NULL)
        pl_sought_copy_places(&session->common->sought, job->known.sought);
    if (job->recorded != NULL)
        pl_inputs_share(session->slots[0].board, job->recorded);
    else
        pl_inputs_put(session->slots[0].board, job->schedule);
    if (put_steps(session->slots[0].board, job->schedule, err) == 0)
        return 0;
    pl_session_close(session);
    return -1;
}

/* Until the session is at its end. */
static int play(struct pl_session *session, const struct pl_rerun_job *job, struct pl_err *err)
{
    unsigned interrupts = pl_interrupt_count();

    while (pl_session_step(session, 100, err) == PL_SESSION_RUNNING) {
        if (pl_interrupt_count() > interrupts)
            pl_session_stop(session, INTERRUPT_GRACE_MS);
        if (pl_rerun_over(job->time.last))
            pl_session_stop(session, 0);
    }
    if (pl_rerun_check(session, err) == 0)
        return 0;
    if (session->state == PL_SESSION_KILLED && pl_rerun_over(job->time.last))
        pl_err_set(err, PL_ERR_TARGET, PL_RERUN_OVER);
    pl_session_close(session);
    return -1;
}

int pl_rerun_run(struct pl_session *session, const struct pl_rerun_job *job, bool trace,
                 struct pl_err *err)
{
    struct pl_rerun_job one = *job;

    one.settings.keep_going = false;
    if (pl_rerun_over(job->time.last))
        return pl_err_set(err, PL_ERR_TARGET, PL_RERUN_OVER);
    if (pl_rerun_open(session, &one, "replay", trace, err) != 0)
        return -1;
    session->slots[0].board->settings.executions = 1;
    return play(session, job, err);
}

int pl_rerun_try(struct pl_session *session, const struct pl_rerun_job *job, uint64_t steps,
                 uint64_t tries, struct pl_err *err)
{
    struct pl_rerun_job one = *job;

    one.settings.keep_going = false;
    if (pl_rerun_open(session, &one, "replay", false, err) != 0)
        return -1;
    struct pl_board *board = session->slots[0].board;

    PL_ASSERT(tries > 0);
    snprintf(board->settings.parameters, sizeof(board->settings.parameters), "tries=1");
    board->settings.executions = tries;
    board->n_steps = steps < board->n_steps ? steps : board->n_steps;
    return play(session, job, err);
}

/* The choice that the divergence is about, as the file has it. */
static const struct pl_schedule_line *choice_number(const struct pl_schedule *s, uint64_t n)
{
    if (n < s->n_packed)
        return &s->shapes[s->packed[n].shape];
    n -= s->n_packed;
    for (size_t i = 0; i < s->n_lines; i++) {
        if (s->lines[i].is_choice && n-- == 0)
            return &s->lines[i];
    }
    return NULL;
}

static void describe_divergence(const struct pl_board *board, struct pl_symbols *symbols,
                                const struct pl_schedule *s, char *text, size_t size)
{
    struct pl_scene scene = {board->threads, board->n_threads, symbols, NULL, NULL};
    const struct pl_divergence *d = &board->divergence;
    const struct pl_schedule_line *line = choice_number(s, d->step);
    char thread[PL_RESULT_WORD], place[PL_RESULT_LINE], expected[400] = "", actual[400] = "";

    if (line != NULL)
        snprintf(expected, sizeof(expected), "; expected %s of thread %s%s%.250s",
                 pl_operation_text(line->op), line->thread, line->location ? " at " : "",
                 line->location ? line->location : "");
    if (d->actual.kind != PL_OP_NONE) {
        pl_describe_thread(&scene, d->actual.tid, thread, sizeof(thread));
        pl_describe_location(&scene, d->actual.pc, place, sizeof(place));
        snprintf(actual, sizeof(actual), "; found %s of thread %s%s%.250s",
                 pl_operation_text(d->actual.kind), thread, place[0] ? " at " : "", place);
    }
    if (d->input) {
        snprintf(text, size, "%s%s", d->text, actual);
        return;
    }
    snprintf(text, size, "it left the schedule at choice %llu of %llu: %s%s%s",
             (unsigned long long)d->step + 1, (unsigned long long)board->n_steps, d->text, expected,
             actual);
}

const struct pl_found *pl_rerun_find(const struct pl_common *common, unsigned kind,
                                     uint64_t signature)
{
    for (uint32_t i = 0; i < common->n_found; i++) {
        if (common->found[i].finding.kind == kind &&
            common->found[i].finding.signature == signature)
            return &common->found[i];
    }
    return NULL;
}

/* What stands against the promise: the one that ended it, or where more was promised, the last. */
static const struct pl_finding *instead(const struct pl_common *common, unsigned promised)
{
    const struct pl_finding *last =
        common->n_found > 0 ? &common->found[common->n_found - 1].finding : NULL;

    return last != NULL && promised == PL_FINDING_NONE && !pl_finding_ends(last->kind) ? NULL
                                                                                       : last;
}

/*
 * Free threads that go round and round, or wait where nobody can be asked, are stopped when the
 * time is over; a replay sees that nobody can end their loop or their wait, or stops them
 * elsewhere.
 */
static bool is_same_hang(const struct pl_board *board, const struct pl_finding *f, unsigned kind)
{
    return board->settings.starts_chosen && kind == PL_FINDING_HANG && f != NULL &&
           (f->kind == PL_FINDING_HANG || f->kind == PL_FINDING_LIVELOCK ||
            f->kind == PL_FINDING_DEADLOCK);
}

enum pl_rerun_verdict pl_rerun_compare(const struct pl_session *session, struct pl_symbols *symbols,
                                       const struct pl_schedule *schedule, unsigned kind,
                                       uint64_t signature, char *text, size_t size)
{
    const struct pl_board *board = session->slots[0].board;
    const struct pl_common *common = session->common;
    const struct pl_found *same = pl_rerun_find(common, kind, signature);
    const struct pl_finding *f = same != NULL ? &same->finding : instead(common, kind);

    PL_ASSERT(session->n_slots == 1 && kind < PL_FINDING_KINDS);
    text[0] = '\0';
    if (board->divergence.happened) {
        describe_divergence(board, symbols, schedule, text, size);
        return PL_RERUN_DIVERGED;
    }
    if (board->outcome == PL_OUTCOME_SLOW) {
        snprintf(text, size,
                 "it followed the schedule, but took too long while threads made "
                 "progress; see --hang-time");
        return PL_RERUN_DIFFERENT;
    }
    if (f == NULL && kind == PL_FINDING_NONE)
        return PL_RERUN_SAME;
    if (f == NULL) {
        snprintf(text, size, "it followed the schedule, but nothing was found");
        return PL_RERUN_DIFFERENT;
    }
    if ((f->kind == kind && f->signature == signature) || is_same_hang(board, f, kind))
        return PL_RERUN_SAME;
    if (f->kind == kind)
        snprintf(text, size, "it followed the schedule and found another %s: %.300s",
                 pl_finding_text(kind), f->text);
    else
        snprintf(text, size, "it followed the schedule and found %s instead: %.300s",
                 pl_finding_text(f->kind), f->text);
    return PL_RERUN_DIFFERENT;
}
