/* SPDX-License-Identifier: MIT */
/* See draft.h. */
#include "engine/findings/draft.h"

#include "base/assert.h"
#include "engine/findings/describe.h"
#include "engine/findings/settle.h"
#include "engine/shared/clock.h"
#include "engine/shared/folder.h"
#include "engine/shared/interrupt.h"
#include "engine/worker/inputs.h"
#include "engine/worker/overlay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FULL_BUDGETS = 10, /* to make findings simpler; those after that are left as they are */
    FULL_DRIVES = 12,  /* to try predictions; those after that are left untried */
    UNASKED = 1000,    /* budget for one that must be made simpler to count */
};

static const struct pl_target *target_of(const struct pl_findings *f)
{
    return f->session->slots[0].target;
}

static void write_file(const struct pl_result_finding *out, const struct pl_schedule *s,
                       struct pl_err *err)
{
    *err = (struct pl_err){0};
    pl_schedule_write(out->schedule, s, err);
}

/* What could not be written is a finding all the same. */
static void look_for_file(struct pl_result_finding *out, const struct pl_err *err)
{
    if (out->schedule[0] != '\0' && access(out->schedule, F_OK) != 0) {
        snprintf(out->unreplayed, sizeof(out->unreplayed), "the schedule was not written: %s",
                 err->class != PL_ERR_NONE ? err->text : "somebody removed it");
        out->schedule[0] = '\0';
    }
    out->unwritten = out->schedule[0] == '\0';
}

/* Replay it once more, in every way there is; the schedule says which it takes. */
static void insist(struct pl_settle *s, struct pl_result_finding *out, struct pl_schedule *raw)
{
    bool exec = false;

    PL_ASSERT(s->job.schedule == raw);
    if (!pl_settle_again(s, out, &exec) || !exec)
        return;
    if (pl_schedule_option(raw, "restart") == NULL)
        pl_schedule_add_option(raw, "restart", pl_restart_texts[PL_RESTART_EXEC]);
    struct pl_err ignored;

    write_file(out, raw, &ignored);
}

/* Run it once more, with a folder for what it changes: nobody takes that back. */
static void keep_files(struct pl_findings *f, const struct pl_confirm *c, unsigned number,
                       struct pl_result_finding *out)
{
    struct pl_rerun_job job = c->job;
    struct pl_target target = *c->job.target;
    struct pl_session session;
    char path[PL_RESULT_LINE];
    struct pl_err err;
    int n = snprintf(path, sizeof(path), "%s/finding-%03u-files", f->request->folder, number);

    if (n < 0 || (size_t)n >= sizeof(path) || (mkdir(path, 0755) != 0 && errno != EEXIST))
        return;
    target.files = path;
    target.kept = true;
    job.target = &target;
    job.settings.restart = PL_RESTART_EXEC;
    if (pl_rerun_run(&session, &job, false, &err) == 0)
        pl_session_close(&session);
    if (pl_overlay_tidy(path))
        memcpy(out->files, path, sizeof(path));
    else
        rmdir(path);
}

/* Write it: simpler if that is wanted and works, else as it was found. */
static void settle(struct pl_findings *f, struct pl_result_finding *out, const struct pl_confirm *c,
                   struct pl_schedule *raw, unsigned number)
{
    struct pl_settle s = {.request = f->request,
                          .record = c->record,
                          .job = c->job,
                          .events = c->origin.found->events};
    bool needed = c->origin.found->early > 0;
    uint64_t budget = f->request->budget == 0 && needed ? UNASKED : f->request->budget;

    PL_ASSERT(number > 0 && c->record.finding == out);
    pl_folder_passing(f->request->folder, number, out->kind, s.passing, sizeof(s.passing));
    bool wanted = budget != 0;

    if (wanted && pl_rerun_over(f->time.tries)) {
        snprintf(out->unminimized, sizeof(out->unminimized), PL_RERUN_OVER);
        wanted = false;
    }
    if (wanted && f->spent >= budget * FULL_BUDGETS) {
        snprintf(out->unminimized, sizeof(out->unminimized),
                 "the findings before took what there was for all");
        wanted = false;
    }
    if (!wanted || !pl_settle_minimize(&s, out, budget))
        pl_settle_as_found(&s, out);
    if (out->varied)
        insist(&s, out, raw);
    f->spent += s.spent;
    if (out->replays && f->request->keep_files)
        keep_files(f, c, number, out);
}

struct pl_origin pl_draft_origin(const struct pl_findings *f, const struct pl_found *found)
{
    PL_ASSERT(found->slot < f->session->n_slots);
    return (struct pl_origin){f->session->common, f->session->slots[found->slot].board, found};
}

struct pl_scene pl_draft_scene(struct pl_findings *f, const struct pl_origin *origin)
{
    return (struct pl_scene){(const void *)(origin->common->store + origin->found->threads_at),
                             origin->found->n_threads, pl_findings_symbols(f, origin->board),
                             pl_describe_frames(origin->common, origin->found), NULL};
}

void pl_draft_close(struct pl_draft *d)
{
    pl_schedule_free(&d->raw);
    free(d->inputs);
    free(d->choices);
    free(d->shared);
}

/* What the execution read; one that was driven read what that of `driven` had read. */
static void add_inputs(struct pl_draft *d, const struct pl_findings *f,
                       const struct pl_draft *driven)
{
    struct pl_record *r = &d->confirm.record;

    d->inputs = NULL;
    if (driven != NULL) {
        r->inputs = driven->confirm.record.inputs;
        r->n_inputs = driven->confirm.record.n_inputs;
        return;
    }
    d->inputs = pl_inputs_make(&d->confirm.origin, target_of(f), &r->n_inputs);
    r->inputs = d->inputs;
    r->inputs_lost = d->confirm.origin.found->inputs_lost;
}

void pl_draft_open(struct pl_draft *d, struct pl_findings *f, const struct pl_origin *origin,
                   struct pl_result_finding *out, unsigned number, const struct pl_draft *driven)
{
    const struct pl_found *found = origin->found;

    PL_ASSERT(found != NULL && number > 0 && found->finding.kind < PL_FINDING_KINDS);
    d->choices = NULL;
    d->shared = NULL;
    d->scene = pl_draft_scene(f, origin);
    pl_describe_finding(&d->scene, &found->finding, out);
    if (found->finding.kind == PL_FINDING_ORDER)
        pl_folder_shown(f->request->folder, number, out->schedule, sizeof(out->schedule));
    else
        pl_folder_schedule(f->request->folder, number, out->kind, out->schedule,
                           sizeof(out->schedule));
    d->confirm = (struct pl_confirm){.request = f->request, .origin = *origin};
    d->confirm.record =
        (struct pl_record){.request = f->request,
                           .target = target_of(f),
                           .finding = out,
                           .kind = found->finding.kind,
                           .section = found->section,
                           .digits = found->digits,
                           .scene = &d->scene,
                           .choices = (const void *)(origin->common->store + found->choices_at),
                           .n_choices = found->n_choices};
    add_inputs(d, f, driven);
    pl_schedule_init(&d->raw);
    pl_record_fill(&d->raw, &d->confirm.record);
    d->confirm.job = (struct pl_rerun_job){
        .target = &f->beside,
        .judge = f->session->slots[0].judge,
        .settings = f->request->settings,
        .schedule = &d->raw,
        .known = {origin->common->shared, found->n_shared, &origin->common->sought},
        .time = f->time};
    d->confirm.job.settings.section = found->section;
    d->confirm.job.settings.digits = found->digits;
}

/* A deadlock that is reached must be seen by a replay, too. */
bool pl_draft_is_driven(const struct pl_findings *f, const struct pl_draft *d, unsigned kind)
{
    bool seen = (f->request->settings.detect >> PL_DETECT_DEADLOCK & 1) != 0;

    return (!pl_finding_is(kind, PL_FINDING_IS_PENDING_DEADLOCK) || seen) &&
           d->confirm.origin.found->finding.kind == kind && f->request->drive > 0 &&
           d->confirm.origin.found->n_threads > 0 && pl_interrupt_count() == 0;
}

/* Whether there is time left for it; `out` says if there is not. */
static bool has_time(const struct pl_findings *f, struct pl_result_driven *out)
{
    if (pl_rerun_over(f->time.tries)) {
        snprintf(out->text, sizeof(out->text), "not tried: " PL_RERUN_OVER);
        return false;
    }
    if (f->driven_ms < f->request->drive_ms * FULL_DRIVES)
        return true;
    snprintf(out->text, sizeof(out->text),
             "not tried: the findings before took what there was for all");
    return false;
}

void pl_draft_drive_race(struct pl_findings *f, struct pl_draft *d, struct pl_result_finding *out,
                         unsigned number)
{
    uint64_t start = pl_clock_ms();

    if (has_time(f, &out->driven))
        pl_confirm_race(&d->confirm, number, out);
    f->driven_ms += pl_clock_ms() - start;
}

bool pl_draft_drive_deadlock(struct pl_findings *f, struct pl_draft *d, struct pl_session *session,
                             struct pl_origin *reached, struct pl_result_driven *out)
{
    uint64_t start = pl_clock_ms();
    bool confirmed = has_time(f, out) && pl_confirm_deadlock(&d->confirm, session, reached, out);

    f->driven_ms += pl_clock_ms() - start;
    return confirmed;
}

/* There is nothing to write. */
static bool is_unrecorded(const struct pl_draft *d, struct pl_result_finding *out)
{
    out->unrecorded = d->confirm.origin.board->settings.record == PL_RECORD_NONE;
    if (!out->unrecorded)
        return false;
    out->schedule[0] = '\0';
    snprintf(out->unreplayed, sizeof(out->unreplayed), "recorded nothing: --noise record=none");
    return true;
}

/* The choices that are no defaults, and what is shared, as the execution of a session has them. */
static void take_choices(struct pl_draft *d, const struct pl_session *session)
{
    const struct pl_board *board = session->slots[0].board;
    uint64_t n = pl_board_choices(board), n_shared = session->common->n_shared;
    struct pl_record *r = &d->confirm.record;

    d->choices = pl_err_must(malloc((n + 1) * sizeof(*d->choices)));
    d->shared = pl_err_must(malloc((n_shared + 1) * sizeof(*d->shared)));
    memcpy(d->shared, session->common->shared, n_shared * sizeof(*d->shared));
    r->n_choices = 0;
    PL_ASSERT(d->choices != NULL && n <= PL_BOARD_CHOICES && n_shared <= PL_BOARD_SHARED);
    for (uint64_t i = 0; i < n; i++) {
        if (!board->choices[i].is_default)
            d->choices[r->n_choices++] = board->choices[i];
    }
    r->choices = d->choices;
    d->confirm.job.known.shared = d->shared;
    d->confirm.job.known.n = n_shared;
}

/*
 * A recording of free threads says who went on, but not at which operation, nor which memory is
 * shared; both are needed to make it simpler.  Following it once shows them.
 */
static void follow(struct pl_draft *d)
{
    const struct pl_record *r = &d->confirm.record;
    struct pl_session session;
    char wrong[PL_RESULT_TEXT];
    struct pl_err err;

    if (pl_rerun_run(&session, &d->confirm.job, false, &err) != 0)
        return;
    if (pl_rerun_compare(&session, d->scene.symbols, &d->raw, r->kind, r->finding->signature, wrong,
                         sizeof(wrong)) == PL_RERUN_SAME &&
        session.slots[0].board->n_choices <= PL_BOARD_CHOICES) {
        take_choices(d, &session);
        pl_schedule_free(&d->raw);
        pl_schedule_init(&d->raw);
        pl_record_fill(&d->raw, r);
    }
    pl_session_close(&session);
}

void pl_draft_finish(struct pl_findings *f, struct pl_draft *d, struct pl_result_finding *out,
                     unsigned number)
{
    PL_ASSERT(out->kind[0] != '\0' && !out->replays);
    if (is_unrecorded(d, out))
        return;
    struct pl_err err;

    write_file(out, &d->raw, &err);
    if (f->request->settings.starts_chosen && d->confirm.origin.found->n_threads > 0)
        follow(d);
    if (d->confirm.origin.found->n_threads == 0)
        snprintf(out->unreplayed, sizeof(out->unreplayed), "there was no room for its schedule");
    else if ((out->untried = pl_interrupt_count() >= 2))
        snprintf(out->unreplayed, sizeof(out->unreplayed), "interrupted before it was tried");
    else if (out->schedule[0] != '\0')
        settle(f, out, &d->confirm, &d->raw, number);
    look_for_file(out, &err);
    if (pl_draft_is_driven(f, d, PL_FINDING_RACE))
        pl_draft_drive_race(f, d, out, number);
}
