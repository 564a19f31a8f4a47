/* SPDX-License-Identifier: MIT */
/*
 * Orders that the user seeks: operations handed on to model/sought.h, and what they show
 * noted like a finding, so that it is kept, made simpler and replayed like one.
 *
 * Accesses that are no points count, too.  Otherwise a replay, which does not know yet
 * what is shared, would overlook the first access to memory.
 */
#include "runtime/observe/sought.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/common.h"
#include "runtime/core/observer.h"
#include "runtime/core/strategy.h"
#include "runtime/ground/ask.h"
#include "runtime/ground/place.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/report.h"

#include <errno.h>

/* ---- who goes on ---- */

/* Ask the strategy, but only about threads that do not spoil the order. */
static unsigned lead(const struct pl_view *view)
{
    unsigned *may = pl_stage->scratch.may;

    if (view->kind != PL_CHOICE_THREAD)
        return pl_stage->strategy->choose(&pl_stage->context, view);

    return pl_strategy_among(view, may,
                             pl_direct_filter(&pl_stage->direct, &pl_stage->sought, view, may));
}

/* ---- the execution ---- */

/* Once: each execution finds it like this, or as it was at the checkpoint where it goes on. */
static void rooted(void)
{
    pl_sought_run_begin(&pl_stage->sought);
}

/* The strategy knows of the execution: whether it samples is known. */
static void begun(void)
{
    bool samples = pl_strategy_samples() && !pl_board->measuring;

    pl_stage->seeking = pl_common->sought.n > 0 && !pl_free;
    pl_stage->leads = NULL;
    if (!pl_stage->seeking)
        return; /* and nothing else of the stage is written: a page that is need not be put back */
    pl_stage->direct.on = false;
    if (pl_board->settings.seek && samples)
        pl_direct_begin(&pl_stage->direct, &pl_common->sought, pl_board->settings.seed,
                        pl_board->execution);
    if (pl_stage->direct.on)
        pl_stage->leads = lead;
}

static uint32_t roles_of(uint64_t pc)
{
    uint32_t roles = pl_sought_find(&pl_common->sought, pc);

    if ((roles & PL_SOUGHT_KNOWN) != 0)
        return roles;
    pl_board->sought_pc = pc;
    pl_board->sought_status = PL_ANSWER_PENDING;
    pl_ask_tool(PL_PHASE_SOUGHT, &pl_board->sought_status);
    pl_sought_learn(&pl_common->sought, pc, pl_board->sought_roles);
    return pl_board->sought_roles | PL_SOUGHT_KNOWN;
}

/* What the place is that the thread has come to, which it remembers. */
static uint32_t come_to(struct pl_thread *t, uint64_t pc)
{
    unsigned n = t->n_frames <= PL_FRAMES_MAX ? t->n_frames : 0;
    uint32_t roles = roles_of(pc);

    t->sought_pc = pc;
    for (unsigned i = n; i > 0 && (roles & PL_SOUGHT_OUTER) != 0; i--) {
        t->sought_pc = pl_thread_frame(t, i - 1)->pc;
        roles = roles_of(t->sought_pc);
    }
    if ((roles & PL_SOUGHT_OUTER) != 0)
        t->sought_pc = pc;
    return roles;
}

/* ---- what is shown ---- */

static struct pl_row row_of(const struct pl_sought_mark *m, enum pl_row_waits waits)
{
    return (struct pl_row){.tid = m->tid,
                           .holder = PL_TID_NONE,
                           .op = m->kind,
                           .waits = (uint8_t)waits,
                           .pc = m->pc,
                           .object = pl_place_of(m->addr, pl_operation_object(m->kind))};
}

static void note_shown(unsigned order, const struct pl_sought_pair *pair, bool later)
{
    PL_ASSERT(order < pl_common->sought.n);
    const struct pl_sought_order *o = &pl_common->sought.orders[order];
    struct pl_finding *f =
        pl_report_note(PL_FINDING_ORDER, later ? pl_hash_add(o->signature, 1) : o->signature);

    if (f == NULL)
        return;
    f->status = (int16_t)order;
    f->tid = pair->second.tid;
    f->pc = pair->second.pc;
    f->rows[f->n_rows++] = row_of(&pair->first, PL_ROW_FIRST);
    f->rows[f->n_rows++] = row_of(&pair->second, later ? PL_ROW_LATER : PL_ROW_NEXT);
    pl_text_format(f->text, sizeof(f->text), "%s%s", o->text,
                   later ? "; the two do not conflict, so one came some time after the other" : "");
}

void pl_sought_found(const struct pl_finding *f)
{
    PL_ASSERT(f->status >= 0 && (unsigned)f->status < pl_common->sought.n && f->n_rows == 2);
    struct pl_sought_order *o = &pl_common->sought.orders[f->status];

    if (f->rows[1].waits == PL_ROW_LATER)
        o->later = 1;
    else
        o->shown = 1;
}

static void remember_thread(const struct pl_operation *op)
{
    for (unsigned i = 0; i < pl_common->sought.n; i++) {
        if ((op->sought & PL_SOUGHT_SECOND(i)) != 0)
            pl_sought_meet(&pl_common->sought.orders[i], op->name, op->ordinal);
    }
}

static void performed(struct pl_thread *t, const struct pl_operation *op)
{
    uint32_t shown = pl_sought_run_see(&pl_stage->sought, op, t->sought_pc);

    if (pl_stage->direct.on)
        pl_direct_see(&pl_stage->direct, op);
    if ((op->sought & PL_SOUGHT_ANY) != 0)
        remember_thread(op);
    for (unsigned i = 0; shown != 0; i++, shown >>= 1) {
        if ((shown & 1) != 0)
            note_shown(i, &pl_stage->sought.shown[i], false);
    }
}

void pl_sought_pass(struct pl_thread *t, enum pl_op_kind kind, uint64_t addr, uint64_t size,
                    uint64_t pc)
{
    if (!pl_stage->rooted)
        return;
    struct pl_operation op = {
        .kind = (uint8_t)kind,
        .tid = t->id,
        .size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
        .addr = addr,
        .pc = pc,
        .ordinal = t->ordinal,
        .name = t->name,
        .effect = (uint8_t)pl_operation_effect(kind),
        .sought = come_to(t, pc),
    };

    performed(t, &op);
}

static void last(void)
{
    struct pl_sought_run *run = &pl_stage->sought;

    for (unsigned i = 0; i < pl_common->sought.n; i++) {
        if (!pl_common->sought.orders[i].meets && (run->had[i] & PL_SOUGHT_LATER) != 0 &&
            (run->had[i] & PL_SOUGHT_MET) == 0 && pl_common->sought.orders[i].met == 0)
            note_shown(i, &run->later[i], true);
    }
    pl_sought_count(&pl_common->sought, run);
}

/* A thread begins and ends where nobody has written anything. */
static void announced(struct pl_thread *t, struct pl_operation *op)
{
    if (!pl_operation_is(op->kind, PL_ROLES(BEGINS, ENDS)))
        op->sought = come_to(t, op->pc);
}

static bool wanted(bool rooted)
{
    return rooted && pl_stage->seeking;
}

const struct pl_observer pl_sought_observer = {.wanted = wanted,
                                               .root = rooted,
                                               .begun = begun,
                                               .announced = announced,
                                               .performed = performed,
                                               .last = last};
