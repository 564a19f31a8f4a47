/* SPDX-License-Identifier: MIT */
/* See examine.h. */
#include "engine/findings/examine.h"

#include "base/assert.h"
#include "engine/findings/rerun.h"

/* What the replay noted, on the board of the execution that was recorded. */
static void take_over(struct pl_board *board, const struct pl_common *seen)
{
    for (uint32_t i = 0; i < seen->n_found && i < PL_COMMON_FINDINGS; i++) {
        const struct pl_finding *f = &seen->found[i].finding;

        if (!pl_finding_ends(f->kind) && board->n_noted < PL_BOARD_NOTED)
            board->noted[board->n_noted++] = *f;
    }
}

static void examine(struct pl_findings *f, const struct pl_slot *slot)
{
    struct pl_session session;
    struct pl_schedule schedule;
    struct pl_err err;
    struct pl_rerun_job job = {
        .target = slot->target,
        .settings = f->request->settings,
        .schedule = &schedule,
        .known = {.shared = slot->common->shared, .n = slot->common->n_shared},
        .recorded = slot->board,
        .time = f->time};

    PL_ASSERT(slot->target != NULL && slot->common == f->session->common);
    job.settings.judged = false; /* the output has been looked at */
    job.settings.section = slot->board->section;
    job.settings.digits = slot->board->digits;
    pl_findings_schedule(f, slot->board, &schedule);
    if (pl_rerun_run(&session, &job, false, &err) == 0) {
        /* A light recording of a program with races may not be what happened. */
        if (session.slots[0].board->divergence.happened)
            f->result->unexamined++;
        else
            take_over(slot->board, session.common);
        f->result->examined++;
        PL_ASSERT(f->result->unexamined <= f->result->examined);
        pl_session_close(&session);
    }
    pl_schedule_free(&schedule);
}

void pl_examine_answer(struct pl_findings *findings, struct pl_slot *slot)
{
    if (slot->board->phase != PL_PHASE_EXAMINE || slot->board->examine_status != PL_ANSWER_PENDING)
        return;
    examine(findings, slot);
    pl_slot_answer(&slot->board->examine_status, PL_ANSWER_YES);
}
