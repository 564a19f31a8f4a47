/* SPDX-License-Identifier: MIT */
/* See replay.h. */
#include "engine/campaign/replay.h"

#include "base/assert.h"
#include "engine/campaign/count.h"
#include "engine/findings/describe.h"
#include "engine/findings/settle.h"
#include "engine/shared/clock.h"
#include "engine/shared/interrupt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                             symbols, pl_describe_frames(common, found)};
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

static void look(struct pl_replay *replay, const struct pl_session *session,
                 const struct pl_schedule *schedule, const char *program, const char *path)
{
    const struct pl_board *board = session->slots[0].board;
    struct pl_symbols *symbols = pl_symbols_open(board, program);

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
               const struct pl_schedule *schedule, const char *path, const char *output,
               const struct pl_target *target, const struct pl_judge *judge, struct pl_err *err)
{
    struct pl_rerun_job job = {.target = target,
                               .judge = pl_judge_wanted(judge) ? judge : NULL,
                               .settings = request->settings,
                               .schedule = schedule};
    uint64_t start = pl_clock_ms();
    struct pl_session session;

    replay->rebuilt = was_rebuilt(&target->program, schedule);
    if (pl_rerun_run(&session, &job, false, err) != 0)
        return -1;
    look(replay, &session, schedule, target->program.path, path);
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
    if (pl_target_open(&target, request->argv, request->files, schedule->inputs, err) == 0)
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
