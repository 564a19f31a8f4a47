/* SPDX-License-Identifier: MIT */
/*
 * See findings.h.  An entry of common->found is complete before n_found counts
 * it and does not change afterwards, except for its count.
 */
#include "engine/findings.h"

#include "engine/describe.h"
#include "engine/folder.h"
#include "engine/interrupt.h"
#include "engine/record.h"
#include "engine/settle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FULL_BUDGETS = 10 }; /* to make findings simpler; those after that are left as they are */

static const struct pl_target *target_of(const struct pl_findings *f)
{
    return f->session->slots[0].target;
}

/* Workers load the same modules, but not at the same time. */
static struct pl_symbols *fitting_symbols(struct pl_findings *f, const struct pl_board *board)
{
    if (f->symbols != NULL && !pl_symbols_fit(f->symbols, board)) {
        pl_symbols_close(f->symbols);
        f->symbols = NULL;
    }
    if (f->symbols == NULL)
        f->symbols = pl_symbols_open(board, target_of(f)->program.path);
    return f->symbols;
}

static void write_file(struct pl_result_finding *out, const struct pl_schedule *s)
{
    struct pl_err err;

    if (pl_schedule_write(out->schedule, s, &err) == 0)
        return;
    snprintf(out->unreplayed, sizeof(out->unreplayed), "the schedule was not written: %s",
             err.text);
    out->schedule[0] = '\0';
}

/* An execution may make more choices than there is room for. */
static uint64_t stored_choices(const struct pl_board *board)
{
    return board->n_choices < PL_BOARD_CHOICES ? board->n_choices : PL_BOARD_CHOICES;
}

/* Write it: simpler if that is wanted and works, else as it was found. */
static void settle(struct pl_findings *f, struct pl_result_finding *out,
                   const struct pl_record *record, const struct pl_schedule *raw,
                   const struct pl_found *found, unsigned number)
{
    struct pl_settle s = {.request = f->request, .record = *record, .events = found->events};
    uint64_t budget = f->request->budget;

    s.job = (struct pl_rerun_job){.target = record->target,
                                  .judge = f->session->slots[0].judge,
                                  .settings = f->request->settings,
                                  .schedule = raw,
                                  .known = {f->session->common->shared, found->n_shared}};
    s.job.settings.section = record->section;
    pl_folder_passing(f->request->folder, number, out->kind, s.passing, sizeof(s.passing));
    bool wanted = budget != 0;

    if (wanted && f->spent >= budget * FULL_BUDGETS) {
        snprintf(out->unminimized, sizeof(out->unminimized),
                 "the findings before took what there was for all");
        wanted = false;
    }
    if (!wanted || !pl_settle_minimize(&s, out, budget))
        pl_settle_as_found(&s, out);
    f->spent += s.spent;
}

static void add(struct pl_findings *f, const struct pl_found *found, unsigned number)
{
    const struct pl_common *common = f->session->common;
    struct pl_result *result = f->result;
    struct pl_scene scene = {(const void *)(common->store + found->threads_at), found->n_threads,
                             fitting_symbols(f, f->session->slots[found->slot].board)};

    result->findings =
        realloc(result->findings, (result->n_findings + 1) * sizeof(*result->findings));
    if (result->findings == NULL)
        abort();
    struct pl_result_finding *out = &result->findings[result->n_findings++];

    memset(out, 0, sizeof(*out));
    pl_describe_finding(&scene, &found->finding, out);
    out->execution = found->execution;
    out->count = found->count;
    pl_folder_schedule(f->request->folder, number, out->kind, out->schedule, sizeof(out->schedule));

    struct pl_record record = {.request = f->request,
                               .target = target_of(f),
                               .finding = out,
                               .kind = found->finding.kind,
                               .section = found->section,
                               .scene = &scene,
                               .choices = (const void *)(common->store + found->choices_at),
                               .n_choices = found->n_choices};
    struct pl_schedule raw;

    pl_schedule_init(&raw);
    pl_record_fill(&raw, &record);
    write_file(out, &raw);
    if (found->n_threads == 0)
        snprintf(out->unreplayed, sizeof(out->unreplayed), "there was no room for its schedule");
    else if (pl_interrupt_count() >= 2)
        snprintf(out->unreplayed, sizeof(out->unreplayed), "interrupted before it was tried");
    else if (out->schedule[0] != '\0')
        settle(f, out, &record, &raw, found, number);
    pl_schedule_free(&raw);
    if (!out->replays)
        result->divergences++;
    if (f->request->finding != NULL)
        f->request->finding(f->request->context, out, number);
}

void pl_findings_update(struct pl_findings *f)
{
    const struct pl_common *common = f->session->common;

    uint64_t start = pl_slot_clock();

    for (uint32_t n = common->n_found; f->seen < n && f->seen < PL_COMMON_FINDINGS; f->seen++)
        add(f, &common->found[f->seen], f->seen + 1);
    f->took_ms += pl_slot_clock() - start;
}

void pl_findings_keep_current(struct pl_findings *f, const struct pl_board *board, char *path,
                              size_t size)
{
    struct pl_scene scene = {board->threads, board->n_threads, fitting_symbols(f, board)};
    struct pl_result_finding none = {.execution = board->execution};
    struct pl_record record = {.request = f->request,
                               .target = target_of(f),
                               .finding = &none,
                               .kind = PL_FINDING_NONE,
                               .scene = &scene,
                               .choices = board->choices,
                               .n_choices = stored_choices(board)};
    struct pl_schedule s;
    struct pl_err err;

    pl_schedule_init(&s);
    pl_record_fill(&s, &record);
    pl_folder_schedule(f->request->folder, 0, pl_finding_text(PL_FINDING_NONE), path, size);
    if (pl_schedule_write(path, &s, &err) != 0)
        path[0] = '\0';
    pl_schedule_free(&s);
}

void pl_findings_finish(struct pl_findings *f)
{
    const struct pl_common *common = f->session->common;

    for (uint32_t i = 0; i < f->seen; i++)
        f->result->findings[i].count = common->found[i].count;
    f->result->findings_lost = common->found_lost;
    pl_symbols_close(f->symbols);
    f->symbols = NULL;
}

void pl_findings_locate(struct pl_findings *f, uint64_t pc, char *to, size_t size)
{
    const struct pl_board *board = f->session->slots[0].board;
    struct pl_scene scene = {board->threads, board->n_threads, fitting_symbols(f, board)};

    pl_describe_line(&scene, pc, to, size);
}

void pl_findings_name(struct pl_findings *f, uint64_t address, char *to, size_t size)
{
    struct pl_symbols *symbols = fitting_symbols(f, f->session->slots[0].board);

    snprintf(to, size, "%s", pl_symbols_variable(symbols, address));
}
