/* SPDX-License-Identifier: MIT */
/*
 * dpor: a thread that waits in a loop.
 *
 * Whoever looks at something, and goes round a loop because of what it finds, has not moved: the
 * state is the one before it looked.  So the search is told that there was no event, and the
 * thread is asleep until what it looked at is written, as if all that begins with it had been
 * explored there.  That is what it would be in a program in which waiting is one operation, which
 * is not enabled before what it waits for is there (Jonsson, Lang, Sagonas 2022; here nobody has to
 * say what it waits for).
 *
 * If a race was to be reversed by it, there is no such order: whoever was to come second has not
 * come at all.  The execution is then like those in which the first did, and is in vain.  But what
 * the thread looked at may have been as it wants it still earlier: the event that is none is the
 * second of races all the same.
 *
 * A plan may also have rounds of a thread that does not get them: it came round for nothing, and
 * is parked.  Another round would lead to the same state, so the plan is followed without it.
 */
#include "strategy/dpor/dpor.h"

/* Who was asleep before event e still is, and the thread of e until something wakes it. */
static void sleep_on(struct pl_dpor *s, uint32_t e, uint32_t idle)
{
    const struct pl_dpor_frame *f = &s->frames[e];
    struct pl_dpor_frame *now = &s->frames[s->past.n_events];
    uint16_t thread = s->past.events[e].thread;

    if (s->variant == PL_DPOR_SLEEPLESS)
        return;
    PL_ASSERT(now->sleep >= f->sleep + f->n_sleep);
    s->n_sleepers = now->sleep;
    for (uint32_t i = 0; i < f->n_sleep; i++) {
        uint32_t q = s->sleepers[f->sleep + i];

        if (s->past.records[q].thread != thread)
            s->sleepers[s->n_sleepers++] = q;
    }
    for (uint32_t i = pl_dpor_keep_before(s, f); i != 0; i = s->pool.nodes[i].next) {
        if (s->n_sleepers + 2 > s->sleepers_max) {
            s->past.full = true;
            break;
        }
        if (pl_dpor_record(s, i)->thread != thread)
            s->sleepers[s->n_sleepers++] = s->pool.nodes[i].record;
    }
    s->sleepers[s->n_sleepers++] = idle;
    now->n_sleep = s->n_sleepers - now->sleep;
    PL_ASSERT(s->n_sleepers <= s->sleepers_max);
}

/* Whether the thread sleeps because all that begins with it has been explored. */
static bool is_explored(const struct pl_dpor *s, const struct pl_dpor_frame *f, uint16_t thread)
{
    for (uint32_t i = 0; i < f->n_sleep; i++) {
        const struct pl_past_record *q = &s->past.records[s->sleepers[f->sleep + i]];

        if (q->thread == thread && !q->idle)
            return true;
    }
    return false;
}

/* Whether nothing is planned any more in the state at hand, or only what sleeps there. */
static bool is_over(const struct pl_dpor *s)
{
    const struct pl_dpor_frame *now = &s->frames[s->past.n_events];
    uint32_t node = now->wut;

    while (node != 0 && is_explored(s, now, pl_dpor_record(s, node)->thread))
        node = s->pool.nodes[node].next;
    return node == 0;
}

/* Whether something was planned for its own sake on the way to event e, and has happened. */
static bool has_come(const struct pl_dpor *s, uint32_t e)
{
    for (uint32_t i = s->replay.n; i < e; i++) {
        if (s->frames[i].taken.enough && !s->past.events[i].idle)
            return true;
    }
    return false;
}

/* Whether this execution has taken a branch before event e. */
static bool has_begun(const struct pl_dpor *s, uint32_t e)
{
    uint32_t i = s->replay.n;

    while (i < e && (s->past.events[i].automatic || s->past.events[i].idle))
        i++;
    return i < e;
}

bool pl_dpor_await_skip(struct pl_strategy_context *c)
{
    struct pl_dpor *s = pl_dpor_of(c);
    uint32_t e = s->replay.at;
    struct pl_dpor_frame *f = &s->frames[e];
    uint32_t p = pl_dpor_keep_next(s, f);

    if (e < s->replay.n || p == 0 || p != f->wut)
        return false;
    const struct pl_operation *op = &pl_dpor_record(s, p)->op;
    bool parked = c->parked != NULL && c->parked(op->name);

    /* Behind a call that the kernel does not allow nothing is to be had; but what came before it in
     * this execution counts as explored from now on, so what can follow that comes now. */
    if (!parked && !(pl_operation_is(op->kind, PL_ROLE_OUTSIDE) && has_begun(s, e)))
        return false;
    s->replay.missed |= !parked;
    pl_dpor_replay_without(s, e, parked);
    return true;
}

bool pl_dpor_await_idle(struct pl_strategy_context *c, const struct pl_operation *op, uint32_t from)
{
    struct pl_dpor *s = pl_dpor_of(c);
    struct pl_dpor_replay *r = &s->replay;

    if (r->gone || s->past.full || r->at != s->past.n_events)
        return false;
    uint32_t e = pl_past_idle(&s->past, pl_past_thread(&s->past, op), from, r->n);

    if (e == PL_PAST_NONE)
        return false;
    struct pl_past_record look = *pl_past_record_of(&s->past, e);

    look.idle = true;
    uint32_t idle = pl_past_record(&s->past, &look);

    if (s->frames[e].p != 0)
        s->pool.nodes[s->frames[e].p].record = idle;
    sleep_on(s, e, idle);
    r->vain = s->variant == PL_DPOR_OPTIMAL && s->frames[e].taken.planned && is_over(s) &&
              !has_come(s, e);
    return r->vain;
}
