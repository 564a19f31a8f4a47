/* SPDX-License-Identifier: MIT */
/* See replay.h. */
#include "engine/campaign/replay.h"

#include "base/assert.h"
#include "engine/campaign/count.h"
#include "engine/findings/describe.h"
#include "engine/findings/event_index.h"
#include "engine/findings/identity.h"
#include "engine/findings/said.h"
#include "engine/findings/settle.h"
#include "engine/shared/clock.h"
#include "engine/shared/interrupt.h"
#include "model/name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OVERTIME_MS = 1000, /* to write what there is */
    TRIES = 100,        /* from where a changed program leaves the schedule, */
    TRIES_MS = 5000,    /* and for how long */
};

static bool was_rebuilt(const struct pl_program *program, const struct pl_schedule *schedule)
{
    char hex[48];

    if (schedule->build_id == NULL || program->build_id_size == 0)
        return false;
    pl_program_hex(program->build_id, program->build_id_size, hex);
    return strcmp(hex, schedule->build_id) != 0;
}

static void add_finding(struct pl_replay *replay, const struct pl_common *common,
                        const struct pl_found *found, struct pl_symbols *symbols, const char *path)
{
    struct pl_scene scene = {(const void *)(common->store + found->threads_at), found->n_threads,
                             symbols, pl_describe_frames(common, found), NULL};
    struct pl_result_finding *out = &replay->result.findings[replay->result.n_findings++];

    pl_describe_finding(&scene, &found->finding, out);
    out->execution = found->execution;
    out->count = found->count;
    out->replays = replay->verdict == PL_RERUN_SAME;
    if (out->replays)
        snprintf(out->schedule, sizeof(out->schedule), "%s", path);
    snprintf(out->unreplayed, sizeof(out->unreplayed), "%.*s", (int)sizeof(out->unreplayed) - 1,
             replay->text);
}

/* What was promised; if it was not found, or nothing was, all there is. */
static void add_findings(struct pl_replay *replay, const struct pl_common *common,
                         const struct pl_schedule *schedule, struct pl_symbols *symbols,
                         const char *path)
{
    const struct pl_found *same = pl_rerun_find(common, schedule->finding, schedule->signature);
    uint32_t first = same != NULL ? (uint32_t)(same - common->found) : 0;
    uint32_t n = same != NULL ? 1 : common->n_found;

    replay->result.findings = calloc(n + 1, sizeof(*replay->result.findings));
    if (replay->result.findings == NULL)
        abort();
    for (uint32_t i = first; i < first + n; i++)
        add_finding(replay, common, &common->found[i], symbols, path);
}

/* The one that is the same bug, although the program was changed; NULL when there is none. */
static const struct pl_found *find_again(const struct pl_session *session,
                                         const struct pl_schedule *schedule,
                                         struct pl_symbols *symbols)
{
    const struct pl_common *common = session->common;

    for (uint32_t i = 0; i < common->n_found && schedule->identity != 0; i++) {
        const struct pl_found *found = &common->found[i];
        struct pl_scene scene = {(const void *)(common->store + found->threads_at),
                                 found->n_threads, symbols, pl_describe_frames(common, found),
                                 NULL};
        struct pl_result_finding words = {0};

        if (found->finding.kind != schedule->finding)
            continue;
        pl_describe_finding(&scene, &found->finding, &words);
        bool same = words.identity == schedule->identity;

        pl_result_forget(&words);
        if (same)
            return found;
    }
    return NULL;
}

/* Of a program that was changed: it left the schedule, so what comes of executions from there? */
static void try_from_there(struct pl_replay *replay, const struct pl_rerun_job *job, uint64_t step,
                           bool gone)
{
    size_t used = strlen(replay->text), room = sizeof(replay->text) - used;
    struct pl_rerun_job limited = *job;
    struct pl_session tries;
    struct pl_err err;

    limited.time.last = pl_clock_ms() + TRIES_MS;
    if (job->time.last != 0 && job->time.last < limited.time.last)
        limited.time.last = job->time.last;
    if (pl_rerun_try(&tries, &limited, step, TRIES, &err) != 0)
        return;
    struct pl_symbols *symbols = pl_symbols_open(tries.slots[0].board, job->target->program.path);
    const struct pl_session_counts counts = pl_session_count(&tries);
    const struct pl_found *found = find_again(&tries, job->schedule, symbols);

    if (found != NULL) {
        snprintf(replay->text + used, room, "; it fails in the same way in try %llu from there",
                 (unsigned long long)found->execution);
        replay->again = true;
    } else if (tries.common->n_found > 0) {
        found = &tries.common->found[0];
        snprintf(replay->text + used, room, "; try %llu from there came to %s: %.200s",
                 (unsigned long long)found->execution, pl_finding_text(found->finding.kind),
                 found->finding.text);
    } else if (counts.executions > 0) {
        snprintf(replay->text + used, room, "; passes now in %llu %s from there",
                 (unsigned long long)counts.executions, counts.executions == 1 ? "try" : "tries");
        replay->verdict = gone ? PL_RERUN_GONE : PL_RERUN_DIVERGED;
        replay->passes = true;
    }
    pl_symbols_close(symbols);
    pl_session_close(&tries);
}

/* Whether an operation that was performed now is not about what the schedule says. */
static bool is_other(const struct pl_schedule_line *line, const struct pl_event *e,
                     const struct pl_scene *scene, char *object, size_t size)
{
    pl_describe_place(scene, &e->object, object, size);
    return line->object != NULL && object[0] != '\0' &&
           pl_identity_text(line->object) != pl_identity_text(object);
}

/*
 * A changed program may follow a schedule by chance: the same kinds of operations, on other
 * objects.  The first choice that was not made where it was recorded; UINT64_MAX: all were.
 */
static uint64_t first_other(struct pl_replay *replay, const struct pl_rerun_job *job)
{
    const struct pl_schedule *s = job->schedule;
    uint64_t step = s->n_packed, all = s->n_packed + s->n_choices, other = UINT64_MAX;
    struct pl_event_index index;
    struct pl_session session;
    struct pl_err err;

    if (pl_rerun_run(&session, job, true, &err) != 0)
        return UINT64_MAX;
    const struct pl_board *board = session.slots[0].board;
    struct pl_symbols *symbols = pl_symbols_open(board, job->target->program.path);
    struct pl_scene scene = {board->threads, board->n_threads, symbols, NULL, NULL};

    pl_event_index_open(&index, board->trace,
                        board->n_events < PL_BOARD_EVENTS ? board->n_events : PL_BOARD_EVENTS,
                        true);
    /* What comes behind the last one is what a fix may change. */
    for (size_t i = 0; i < s->n_lines && step < all && other == UINT64_MAX; i++) {
        const struct pl_schedule_line *line = &s->lines[i];
        const struct pl_event *e =
            pl_event_index_find(&index, pl_name_parse(line->thread), line->ordinal);
        char object[PL_RESULT_LINE];

        if (e != NULL && is_other(line, e, &scene, object, sizeof(object))) {
            other = step;
            snprintf(replay->text, sizeof(replay->text),
                     "it left the schedule at choice %llu of %llu: thread %s is about to use %s "
                     "instead of %s",
                     (unsigned long long)step + 1, (unsigned long long)all, line->thread, object,
                     line->object);
            replay->verdict = PL_RERUN_DIVERGED;
        }
        step += line->is_choice;
    }
    pl_event_index_close(&index);
    pl_symbols_close(symbols);
    pl_session_close(&session);
    return other;
}

/* What it means that the program was changed since. */
static void judge_change(struct pl_replay *replay, const struct pl_session *session,
                         const struct pl_rerun_job *job)
{
    bool failed =
        job->schedule->finding != PL_FINDING_NONE && job->schedule->finding != PL_FINDING_ORDER;

    if (!replay->rebuilt || !failed || replay->verdict == PL_RERUN_SAME)
        return;
    const struct pl_divergence *d = &session->slots[0].board->divergence;
    bool nothing = session->common->n_found == 0;

    if (replay->verdict == PL_RERUN_DIFFERENT && nothing &&
        session->slots[0].board->outcome != PL_OUTCOME_SLOW) {
        uint64_t step = first_other(replay, job);

        if (step == UINT64_MAX)
            replay->verdict = PL_RERUN_HELD;
        else
            try_from_there(replay, job, step, false);
    } else if (replay->verdict == PL_RERUN_DIVERGED && nothing && !d->input) {
        try_from_there(replay, job, d->step, strstr(d->text, "cannot go on now") != NULL);
    }
}

static void look(struct pl_replay *replay, const struct pl_session *session,
                 struct pl_schedule *schedule, const char *program, const char *path)
{
    const struct pl_board *board = session->slots[0].board;
    struct pl_symbols *symbols = pl_symbols_open(board, program);
    const struct pl_found *again =
        pl_rerun_find(session->common, schedule->finding, schedule->signature) == NULL
            ? find_again(session, schedule, symbols)
            : NULL;

    if (again != NULL)
        schedule->signature = again->finding.signature; /* that of this program */
    replay->verdict = pl_rerun_compare(session, symbols, schedule, schedule->finding,
                                       schedule->signature, replay->text, sizeof(replay->text));
    add_findings(replay, session->common, schedule, symbols, path);
    if (board->divergence.happened)
        replay->result.divergences = 1;
    pl_symbols_close(symbols);
}

/* NAME-passing.plait for NAME.plait */
static void name_passing(char *to, size_t size, const char *output)
{
    static const char end[] = ".plait";
    size_t n = strlen(output), m = strlen(end);

    if (n > m && strcmp(output + n - m, end) == 0)
        n -= m;
    snprintf(to, size, "%.*s-passing%s", (int)n, output, end);
}

/* The schedule has shown its finding once more. */
static void minimize(struct pl_replay *replay, const struct pl_request *request,
                     const struct pl_session *session, const struct pl_rerun_job *job,
                     const char *output)
{
    struct pl_result_finding *out = &replay->result.findings[0];
    const struct pl_found *found =
        pl_rerun_find(session->common, job->schedule->finding, job->schedule->signature);
    PL_ASSERT(found != NULL && replay->verdict == PL_RERUN_SAME);
    struct pl_settle s = {.request = request, .job = *job, .events = found->events};

    s.record = (struct pl_record){.request = request,
                                  .target = job->target,
                                  .finding = out,
                                  .kind = job->schedule->finding,
                                  .section = request->settings.section,
                                  .origin = job->schedule};
    s.job.known = (struct pl_rerun_known){session->common->shared, session->common->n_shared,
                                          &session->common->sought};
    out->execution = job->schedule->execution;
    snprintf(out->schedule, sizeof(out->schedule), "%s", output);
    name_passing(s.passing, sizeof(s.passing), output);
    if (!pl_settle_minimize(&s, out, request->budget))
        out->schedule[0] = '\0';
}

static int run(struct pl_replay *replay, const struct pl_request *request,
               const struct pl_schedule *recorded, const char *path, const char *output,
               const struct pl_target *target, struct pl_judge *judge, struct pl_err *err)
{
    struct pl_schedule schedule = *recorded;
    struct pl_rerun_job job = {.target = target,
                               .judge = pl_judge_wanted(judge) ? judge : NULL,
                               .settings = request->settings,
                               .schedule = &schedule};
    uint64_t start = pl_clock_ms();
    struct pl_session session;

    if (request->time_ms != 0)
        job.time = (struct pl_rerun_time){0, start + request->time_ms + OVERTIME_MS};
    judge->last_ms = job.time.last;
    judge->patience_ms = request->settings.hang_ms;
    replay->rebuilt = was_rebuilt(&target->program, recorded);
    if (pl_rerun_run(&session, &job, false, err) != 0) {
        if (pl_rerun_over(job.time.last))
            pl_err_set(err, PL_ERR_TARGET,
                       "the time was over before the schedule was. Give more with --time.");
        return -1;
    }
    pl_said_read(&replay->out, &replay->err, &session);
    look(replay, &session, &schedule, target->program.path, path);
    if (output == NULL)
        judge_change(replay, &session, &job);
    pl_count_result(&replay->result, &session, (double)(pl_clock_ms() - start) / 1000);
    if (output != NULL && replay->verdict == PL_RERUN_SAME && replay->result.n_findings > 0)
        minimize(replay, request, &session, &job, output);
    pl_session_close(&session);
    return 0;
}

static int prepare_and_run(struct pl_replay *replay, const struct pl_request *request,
                           const struct pl_schedule *schedule, const char *path, const char *output,
                           struct pl_err *err)
{
    struct pl_target target;
    struct pl_judge judge;
    int rc = -1;

    PL_ASSERT(request->argv != NULL && schedule != NULL && path != NULL);
    memset(replay, 0, sizeof(*replay));
    snprintf(replay->result.program, sizeof(replay->result.program), "%s", request->argv[0]);
    snprintf(replay->result.strategy, sizeof(replay->result.strategy), "%s",
             output != NULL ? "minimize" : "replay");
    replay->result.incomplete = PL_INCOMPLETE_SCHEDULE;
    replay->result.seed = schedule->seed;
    pl_interrupt_install();
    if (pl_judge_open(&judge, request->expect_output, request->check, err) != 0) {
        pl_judge_close(&judge);
        return -1;
    }
    if (pl_target_open(&target, request->argv, request->files, request->settings.client,
                       schedule->inputs, err) == 0)
        rc = run(replay, request, schedule, path, output, &target, &judge, err);
    pl_target_close(&target);
    pl_judge_close(&judge);
    return rc;
}

int pl_replay_run(struct pl_replay *replay, const struct pl_request *request,
                  const struct pl_schedule *schedule, const char *path, struct pl_err *err)
{
    return prepare_and_run(replay, request, schedule, path, NULL, err);
}

int pl_replay_minimize(struct pl_replay *replay, const struct pl_request *request,
                       const struct pl_schedule *schedule, const char *path, const char *output,
                       struct pl_err *err)
{
    return prepare_and_run(replay, request, schedule, path, output, err);
}
