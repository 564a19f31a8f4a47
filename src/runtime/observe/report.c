/* SPDX-License-Identifier: MIT */
/*
 * Findings: filled in here, in the thread that is concerned, then the execution
 * ends.  Only numbers and the program's own texts; the tool adds the names.
 */
#include "runtime/observe/report.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/common.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/strategy.h"
#include "runtime/core/ways.h"
#include "runtime/ground/place.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/held.h"
#include "runtime/observe/stacks.h"

#include <stdarg.h>

struct pl_finding *pl_report_start(enum pl_finding_kind kind, uint64_t pc, const char *format, ...)
{
    struct pl_finding *f = &pl_board->finding;
    va_list args;

    if (pl_free)
        pl_ports.free->stop();
    if (!pl_stage->rooted)
        pl_ports.restart->begin_here();
    *f = (struct pl_finding){.kind = (uint8_t)kind, .tid = pl_stage->current, .pc = pc};
    va_start(args, format);
    pl_text_vformat(f->text, sizeof(f->text), format, args);
    va_end(args);
    return f;
}

/* Where the program is; in a library that acts for it many findings have one place.  Whether a
 * misuse is passed is asked before its callers are known. */
static uint64_t own_place(const struct pl_finding *f)
{
    for (unsigned i = 0; f->kind != PL_FINDING_MISUSE && i < f->n_frames; i++) {
        if (!pl_place_is_instrumented(f->pc) && pl_place_is_instrumented(f->frames[i]))
            return pl_place_relative(f->frames[i]);
    }
    return 0;
}

static uint64_t signature_of(const struct pl_finding *f)
{
    uint64_t h = pl_hash_add(f->kind, f->signal);
    uint64_t rows = 0;

    if (f->n_rows == 0 || f->kind == PL_FINDING_MISUSE)
        return pl_hash_add(
            pl_hash_add(pl_hash_add(h, pl_place_relative(f->pc)), pl_hash_text(f->text)),
            own_place(f));
    for (unsigned i = 0; i < f->n_rows; i++) {
        /* Where in its loop a spinning thread was caught is chance. */
        if (f->rows[i].waits == PL_ROW_SPINS)
            rows += pl_thread_by_id(f->rows[i].tid)->name;
        else if (f->rows[i].waits != PL_ROW_IS)
            rows += pl_hash_add(f->rows[i].op, pl_place_relative(f->rows[i].pc));
    }
    return pl_hash_add(h, rows);
}

/* Places of a program that is not the first are told apart. */
static void tell_places(struct pl_finding *f)
{
    f->pc = pl_place_told(f->pc);
    f->other_pc = pl_place_told(f->other_pc);
    for (unsigned i = 0; i < f->n_frames; i++)
        f->frames[i] = pl_place_told(f->frames[i]);
    for (unsigned i = 0; i < f->n_rows; i++) {
        f->rows[i].pc = pl_place_told(f->rows[i].pc);
        f->rows[i].since = pl_place_told(f->rows[i].since);
        for (unsigned k = 0; k < f->rows[i].n_frames; k++)
            pl_board->row_frames[i][k] = pl_place_told(pl_board->row_frames[i][k]);
    }
}

void pl_report_assumed(void)
{
    pl_board->assumed++;
    pl_ports.restart->end(PL_OUTCOME_CUT);
    __builtin_unreachable();
}

void pl_report_end(struct pl_finding *f)
{
    PL_ASSERT(f == &pl_board->finding && f->kind != PL_FINDING_NONE && pl_stage->rooted);
    if (f->n_frames == 0 && f->tid != PL_TID_NONE)
        f->n_frames = (uint8_t)pl_stacks_callers(pl_thread_by_id(f->tid), f->pc, f->frames);
    if (f->signature == 0)
        f->signature = signature_of(f) | 1;
    if (pl_stage->modules.image != 0)
        tell_places(f);
    pl_ports.restart->end(PL_OUTCOME_FINDING);
}

/* Who holds what a blocked thread waits for, and since where. */
pl_tid pl_report_holder(const struct pl_thread *t, uint64_t *since)
{
    const struct pl_descriptor *d = pl_descriptor_of(t);
    pl_tid (*ask)(const struct pl_thread *) = pl_native ? d->native_holder : d->holder;
    pl_tid holder = ask != NULL ? ask(t) : PL_TID_NONE;

    *since = 0;
    if (holder != PL_TID_NONE && !pl_native) {
        struct pl_held *h = pl_held_find(pl_thread_by_id(holder), (void *)pl_descriptor_wanted(t));

        *since = h != NULL ? h->pc : 0;
    }
    return holder;
}

void pl_report_row(struct pl_finding *f, const struct pl_thread *t)
{
    if (f->n_rows >= PL_FINDING_ROWS)
        return;
    struct pl_row *r = &f->rows[f->n_rows++];

    *r = (struct pl_row){.tid = t->id, .op = t->op.kind, .pc = t->op.pc, .holder = PL_TID_NONE};
    if (pl_board->settings.carrier != PL_CARRIER_FIBER && !t->announced) {
        r->op = PL_OP_NONE; /* it runs, and its stack says where: not where it was last */
        return;
    }
    r->holder = pl_report_holder(t, &r->since);
    r->waits = PL_ROW_IS;
    if (t->announced && pl_descriptor_of(t)->awaited != NULL)
        r->awaited = pl_descriptor_of(t)->awaited(t);
    if (pl_report_goes_round(t)) {
        r->pc = t->spin.pc;
        r->waits = PL_ROW_SPINS;
    } else if (t->announced && pl_ways_of(t) == PL_WAY_BLOCKED)
        r->waits = PL_ROW_BLOCKED;
    if (pl_operation_is(t->op.kind, PL_ROLE_REGAINS) &&
        t->woken) /* it has its signal, and wants its mutex */
        r->object = pl_place_of(t->mutex, PL_OBJECT_MUTEX);
    else if (pl_operation_is(t->op.kind, PL_ROLE_JOINS))
        r->object = (struct pl_place){.kind = PL_PLACE_THREAD, .tid = (pl_tid)t->op.aux};
    else
        r->object = pl_place_of(t->op.addr, pl_operation_object(t->op.kind));
}

/*
 * Whether the execution goes on in spite of a misuse: it has been reported, or is not what the
 * schedule that is followed came to.  Else one that every execution has would hide all behind it.
 */
static bool is_passed(const struct pl_finding *f)
{
    uint64_t signature = signature_of(f) | 1;

    if (!pl_finding_is_passed(f))
        return false;
    if (pl_strategy_is(pl_stage->strategy, PL_TRAIT_HIDDEN))
        return pl_board->goal.kind != PL_FINDING_MISUSE || pl_board->goal.signature != signature;
    for (uint32_t i = 0; i < pl_common->n_found && i < 64; i++) {
        const struct pl_found *e = &pl_common->found[i];

        if (e->finding.kind != f->kind || e->finding.signature != signature)
            continue;
        pl_board->passed |= UINT64_C(1) << i;
        return true;
    }
    return false;
}

/* Whether it is the current thread that has joined that one, and nobody is left who might have
 * come first: then no order decides. */
static bool is_own_join(pl_tid tid)
{
    const struct pl_thread *t = pl_thread_by_id(tid);

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (i != pl_stage->current && pl_thread_by_id(i)->state == PL_THREAD_ALIVE)
            return false;
    }
    return t->state == PL_THREAD_GONE && t->joined_by == pl_stage->current;
}

void pl_report_misuse(uint64_t pc, const void *object, enum pl_object_kind kind, uint64_t other,
                      const char *format, ...)
{
    va_list args;

    if (!pl_active || !pl_detect_wants(PL_DETECT_MISUSE))
        return;
    struct pl_finding *f = &pl_board->finding;

    if (kind == PL_OBJECT_THREAD && !is_own_join((pl_tid)other) && pl_stage->strategy != NULL &&
        pl_stage->strategy->last != NULL)
        pl_strategy_stray(&pl_stage->context, "came to a thread that is joined or detached twice, "
                                              "and who comes first there is no step of a search");
    if (!pl_free && !pl_native && kind != PL_OBJECT_THREAD)
        pl_ports.restart->root(); /* so that the next execution passes it */
    if (pl_stage->rooted && !pl_free && kind != PL_OBJECT_THREAD) {
        *f = (struct pl_finding){.kind = PL_FINDING_MISUSE, .pc = pc};
        va_start(args, format);
        pl_text_vformat(f->text, sizeof(f->text), format, args);
        va_end(args);
        if (is_passed(f)) {
            *f = (struct pl_finding){.tid = PL_TID_NONE};
            return;
        }
    }
    pl_report_start(PL_FINDING_MISUSE, pc, "%s", "");
    va_start(args, format);
    pl_text_vformat(f->text, sizeof(f->text), format, args);
    va_end(args);
    if (kind == PL_OBJECT_THREAD)
        f->object = (struct pl_place){.kind = PL_PLACE_THREAD, .tid = (pl_tid)other};
    else {
        f->object = pl_place_of((uint64_t)object, kind);
        f->other_pc = other;
    }
    pl_report_end(f);
}

static bool is_noted(enum pl_finding_kind kind, uint64_t signature)
{
    for (uint32_t i = 0; i < pl_board->n_noted; i++) {
        if (pl_board->noted[i].kind == kind && pl_board->noted[i].signature == signature)
            return true;
    }
    return false;
}

/*
 * What is noted before the root belongs to every execution: they all begin with
 * that.  So it stays at the beginning of the list.
 */
struct pl_finding *pl_report_note(enum pl_finding_kind kind, uint64_t signature)
{
    if (!pl_stage->rooted)
        pl_board->n_noted = pl_stage->n_noted; /* what the last section came to is known */
    PL_ASSERT(pl_board->n_noted <= PL_BOARD_NOTED && pl_stage->n_noted <= pl_board->n_noted);
    if (is_noted(kind, signature | 1))
        return NULL;
    if (pl_board->n_noted == PL_BOARD_NOTED) {
        if (pl_common->findings_lost == 0)
            pl_common->findings_lost = 1;
        return NULL;
    }
    struct pl_finding *f = &pl_board->noted[pl_board->n_noted++];

    if (!pl_stage->rooted)
        pl_stage->n_noted = pl_board->n_noted;
    *f = (struct pl_finding){
        .kind = (uint8_t)kind, .tid = pl_stage->current, .signature = signature | 1};
    return f;
}

static struct pl_row predicted_row(const struct pl_cycle_member *m,
                                   const struct pl_cycle_member *next)
{
    struct pl_row row = {.tid = m->tid,
                         .holder = next->tid,
                         .op = m->op,
                         .waits = PL_ROW_PREDICTED,
                         .pc = m->wants_pc,
                         .since = next->holds_pc};

    if (pl_operation_is(m->op, PL_ROLE_JOINS))
        row.object = (struct pl_place){.kind = PL_PLACE_THREAD, .tid = next->tid};
    else
        row.object = pl_place_of(m->wants, pl_operation_object(m->op));
    return row;
}

void pl_report_predicted(const struct pl_cycle *c)
{
    uint64_t signature = PL_FINDING_LOCK_ORDER;

    PL_ASSERT(c->n > 0 && c->n <= PL_FINDING_ROWS);
    /* Whoever comes first in the circle: the sum is the same. */
    for (unsigned i = 0; i < c->n; i++)
        signature += pl_hash_add(pl_hash_add(c->members[i].op, 3),
                                 pl_place_relative(c->members[i].wants_pc));
    struct pl_finding *f = pl_report_note(PL_FINDING_LOCK_ORDER, signature);

    if (f == NULL)
        return;
    f->tid = c->members[0].tid;
    f->pc = c->members[0].wants_pc;
    pl_text_format(f->text, sizeof(f->text), "%u threads take locks in orders that can deadlock",
                   c->n);
    for (unsigned i = 0; i < c->n; i++)
        f->rows[f->n_rows++] = predicted_row(&c->members[i], &c->members[(i + 1) % c->n]);
}
