/* SPDX-License-Identifier: MIT */
/* See trace.h. */
#include "runtime/observe/trace.h"

#include "base/assert.h"
#include "runtime/core/expiry.h"
#include "runtime/core/observer.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/place.h"
#include "runtime/ground/stage.h"

static bool wanted(bool rooted)
{
    return pl_board->settings.trace;
}

/* Whether callers that were noted at `at` are those of the thread now. */
static bool is_at(const struct pl_thread *t, uint64_t at, unsigned n)
{
    if (at + 1 + n > pl_board->n_frames || pl_board->frames[at] != n)
        return false;
    for (unsigned i = 0; i < n; i++) {
        if (pl_board->frames[at + 1 + i] != pl_place_told(pl_thread_frame(t, n - 1 - i)->pc))
            return false;
    }
    return true;
}

/* The callers of where the thread is; mostly they are those of its last event. */
static uint32_t stack_of(const struct pl_thread *t)
{
    unsigned n = t->n_frames < PL_FRAMES_MAX ? t->n_frames : PL_FRAMES_MAX;
    uint32_t *last = &pl_board->frames_last[t->id];
    uint64_t at = pl_board->n_frames;

    if (*last != 0 && is_at(t, *last - 1, n))
        return *last;
    if (at + 1 + n > PL_BOARD_FRAMES)
        return 0;
    pl_board->frames[at] = n;
    for (unsigned i = 0; i < n; i++)
        pl_board->frames[at + 1 + i] = pl_place_told(pl_thread_frame(t, n - 1 - i)->pc);
    pl_board->n_frames = at + 1 + n;
    return *last = (uint32_t)at + 1;
}

/* Memory of which nothing is known but that other processes under control have it, too. */
static bool is_of_company(const struct pl_thread *t)
{
    return pl_stage->process.company && pl_alias_mapping(t->op.addr).size != 0;
}

static struct pl_place object_of(const struct pl_thread *t)
{
    unsigned kind = pl_operation_object(t->op.kind);

    return t->call.now == NULL || kind == PL_OBJECT_MEMORY
               ? pl_place_of(t->op.addr, kind)
               : (struct pl_place){.kind = PL_PLACE_CALL,
                                   .site = t->call.number,
                                   .offset = (uint64_t)(t->call.fd + 1)};
}

static void chosen(const struct pl_thread *t, bool switched)
{
    bool memory = pl_operation_object(t->op.kind) == PL_OBJECT_MEMORY;

    /* Loops are shown twice, not for ever. */
    if (pl_board->n_events >= PL_BOARD_EVENTS ||
        (memory && !pl_shadow_known(t->op.addr) && !is_of_company(t)) || t->spin.iterations > 1)
        return;
    pl_board->trace[pl_board->n_events++] = (struct pl_event){
        .op = t->op,
        .object = object_of(t),
        .switched = switched,
        .point = true,
        .choice = (uint32_t)pl_board->n_choices,
        .stack = stack_of(t),
        .beside = t->beside,
        .waited =
            t->op.early ? pl_expiry_moment(t) - (t->timer ? pl_stage->now : t->waits_since) : 0,
    };
    struct pl_event *e = &pl_board->trace[pl_board->n_events - 1];

    e->op.pc = pl_place_told(e->op.pc);
}

/* What a system call is about, and does to it, is known only now. */
static void performed(struct pl_thread *t, const struct pl_operation *op)
{
    struct pl_event *e = pl_board->n_events > 0 ? &pl_board->trace[pl_board->n_events - 1] : NULL;

    if (e == NULL || !pl_operation_is(op->kind, PL_ROLE_CALLS) || e->op.name != op->name ||
        e->op.ordinal != op->ordinal)
        return;
    PL_ASSERT(e->op.tid == t->id);
    e->op.addr = op->addr;
    e->op.other = op->other;
    e->op.effect = op->effect;
    e->op.other_effect = op->other_effect;
}

const struct pl_observer pl_trace_observer = {
    .wanted = wanted, .chosen = chosen, .performed = performed};
