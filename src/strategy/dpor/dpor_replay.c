/* SPDX-License-Identifier: MIT */
/*
 * dpor: executions that begin as the last one did.  The first n events are repeated, or skipped if
 * the execution is resumed at a checkpoint; they are compared with what they were.  An
 * execution that was lost, because its process died, is made again with the same plan.  One that
 * does not do what was planned has gone astray, and is not looked at.
 */
#include "model/board.h"
#include "strategy/dpor/dpor.h"

/* ---- lost executions ---- */

/* What is planned and explored in a state that an execution is taken back to. */
struct state {
    uint32_t wut, done;
};

/* The state before event e, if that is taken back; `behind` is the one after it. */
static struct state take_back_event(struct pl_dpor *s, uint32_t e, struct state behind)
{
    const struct pl_dpor_frame *f = &s->frames[e];
    struct pl_wakeup_node *p = &s->pool.nodes[f->p];
    struct state before = {f->wut, f->done};

    if (s->past.events[e].automatic)
        return behind;
    if (f->taken.again) {
        p->child = pl_dpor_keep_pack(s, behind.wut, behind.done, s->frames[e + 1].n_sleep > 0);
    } else if (f->taken.planned && f->p != 0) {
        p->child = behind.wut;
        p->next = before.wut;
        before.wut = f->p;
    } else {
        pl_wakeup_free(&s->pool, behind.wut); /* of what was no plan */
        if (f->p != 0)
            pl_wakeup_free(&s->pool, f->p);
    }
    return before;
}

void pl_dpor_replay_take_back(struct pl_dpor *s)
{
    uint32_t last = s->past.n_events, n = s->replay.n;
    struct state at = {s->frames[last].wut, s->frames[last].done};

    PL_ASSERT(n < last);
    s->frames[last].wut = s->frames[last].done = s->frames[last].p = 0;
    for (uint32_t e = last; e-- > n;) {
        struct pl_dpor_frame *f = &s->frames[e];

        at = take_back_event(s, e, at);
        f->wut = f->done = f->p = 0;
        f->taken.again = false;
    }
    s->frames[n].wut = at.wut;
    s->frames[n].done = at.done;
    pl_dpor_pop(s, n);
}

/* ---- executions that go astray ---- */

void pl_dpor_replay_without(struct pl_dpor *s, uint32_t e, bool idle)
{
    struct pl_dpor_frame *f = &s->frames[e];
    uint32_t goal = s->pool.later.goal, record = s->pool.nodes[f->wut].record, n;
    uint32_t behind = s->pool.nodes[f->wut].child;

    PL_ASSERT(f->wut != 0);
    s->replay.without |= !idle;
    PL_STORE(s->pool.later.moving, true);
    s->pool.nodes[f->wut].child = 0;
    pl_wakeup_replace(&s->pool, &s->past, &f->wut, s->keep.stack, s->v);
    while ((n = pl_wakeup_take(&s->pool, &behind, s->keep.stack, s->v)) > 0) {
        n = idle ? n : pl_wakeup_independent(&s->past, s->v, n, record);
        if (n > 0)
            pl_dpor_insert(s, e, s->v, n);
    }
    s->pool.later.goal = goal;
    PL_STORE(s->pool.later.moving, false);
}

/* What was planned here is not executed, and never will be; what it would have covered may be. */
static void drop_plan(struct pl_dpor *s)
{
    const struct pl_dpor_replay *r = &s->replay;
    uint32_t e = r->at < r->n ? r->n : r->at;
    struct pl_dpor_frame *f = &s->frames[e];
    uint32_t p = pl_dpor_keep_next(s, f), done;

    s->replay.gone = true;
    if (p != f->wut) {
        pl_wakeup_free(&s->pool, pl_dpor_keep_unpack(s, p, &done));
        pl_wakeup_free(&s->pool, done);
        return;
    }
    if (p != 0)
        pl_dpor_replay_without(s, e, false);
}

/* Threads may do something else by what the clock says, and not all looks at it are ordered: the
 * search says that it is not complete for that. */
static bool is_by_clock(const struct pl_strategy_context *c)
{
    return c->board != NULL && pl_incomplete_has(&c->board->incomplete, PL_INCOMPLETE_CLOCK);
}

void pl_dpor_replay_stray(struct pl_strategy_context *c, const char *why,
                          const struct pl_operation *expected, const struct pl_operation *actual)
{
    struct pl_dpor *s = pl_dpor_of(c);

    if (s->replay.at < s->replay.n || !(pl_dpor_unseen_matters(c) || is_by_clock(c)))
        pl_strategy_stray_at(c, why, expected, actual);
    drop_plan(s);
}

bool pl_dpor_replay_impossible(struct pl_strategy_context *c)
{
    struct pl_dpor *s = pl_dpor_of(c);
    uint32_t p = pl_dpor_keep_next(s, &s->frames[s->replay.at]);

    if (s->replay.at < s->replay.n || p == 0 ||
        (!pl_operation_is(pl_dpor_record(s, p)->op.kind, PL_ROLE_OUTSIDE) && !s->replay.cut))
        return false;
    drop_plan(s);
    c->impossible = true;
    return true;
}

/* ---- what is repeated ---- */

bool pl_dpor_replay_observe(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct pl_dpor *s = pl_dpor_of(c);
    struct pl_dpor_replay *r = &s->replay;

    PL_ASSERT(r->at < r->n && r->n <= s->past.n_events);
    const struct pl_operation *known = &pl_past_record_of(&s->past, r->at)->op;

    if (known->name != op->name || known->kind != op->kind)
        pl_dpor_replay_stray(c, "did not repeat another: it came to another operation", known, op);
    else if (known->addr != op->addr)
        pl_dpor_replay_stray(c, "did not repeat another: its operation is on another object", known,
                             op);
    else if (known->effect != op->effect)
        pl_dpor_replay_stray(c, "did not repeat another: its operation does something else", known,
                             op);
    s->outcomes.late = s->outcomes.early;
    s->outcomes.early = 0;
    r->at++;
    return true;
}

/* ---- checkpoints ---- */

uint64_t pl_dpor_replay_repeats(const struct pl_strategy_context *c)
{
    const struct pl_dpor *s = pl_dpor_of(c);

    return s->frames[s->replay.n].choices;
}

uint64_t pl_dpor_replay_place(const struct pl_strategy_context *c)
{
    return pl_dpor_of(c)->replay.at;
}

uint64_t pl_dpor_replay_departs(const struct pl_strategy_context *c)
{
    return pl_dpor_of(c)->replay.n;
}

void pl_dpor_replay_resume(struct pl_strategy_context *c, uint64_t n, uint64_t place)
{
    struct pl_dpor *s = pl_dpor_of(c);
    struct pl_dpor_replay *r = &s->replay;

    PL_ASSERT(place <= r->n && n <= s->frames[r->n].choices);
    r->at = (uint32_t)place;
    r->choices = n;
}
