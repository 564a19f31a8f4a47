/* SPDX-License-Identifier: MIT */
/*
 * dpor: choices within an operation, such as which waiter is woken, a timeout, or plait_choose().
 * Some are made before the operation is performed, others after.
 *
 * An operation with a choice within it is several operations that exclude each other: what was
 * chosen is part of its record.  All of them are explored in the state before it, and
 * one that is asleep is so with its outcome only.
 */
#include "strategy/dpor/dpor.h"

#include "strategy/shared/view.h"

void pl_dpor_outcome_begin(struct pl_dpor *s)
{
    s->outcomes = (struct pl_dpor_outcomes){.early = 0};
}

void pl_dpor_outcome_plan(struct pl_dpor *s, uint32_t p)
{
    static const uint16_t anything[PL_PAST_OUTCOMES];
    const uint16_t *planned = p != 0 ? pl_dpor_record(s, p)->outcome : anything;

    for (unsigned i = s->outcomes.early; i < PL_PAST_OUTCOMES; i++)
        s->outcomes.planned[i] = planned[i];
}

void pl_dpor_outcome_settle(struct pl_dpor *s, uint32_t e)
{
    struct pl_past_record r = *pl_past_record_of(&s->past, e);
    uint32_t p = s->frames[e].p;

    for (unsigned i = 0; i < PL_PAST_OUTCOMES; i++) {
        PL_ASSERT(s->outcomes.taken[i] <= s->outcomes.options[i]);
        r.outcome[i] = s->outcomes.taken[i];
        s->past.events[e].options[i] = s->outcomes.options[i];
    }
    s->past.events[e].record = pl_past_record(&s->past, &r);
    if (p != 0)
        s->pool.nodes[p].record = s->past.events[e].record;
}

void pl_dpor_outcome_next(struct pl_dpor *s)
{
    struct pl_dpor_outcomes *o = &s->outcomes;

    if (o->early == 0)
        o->taken[0] = o->taken[1] = o->options[0] = o->options[1] = 0;
    o->late = o->early;
    o->early = 0;
}

/* Within an event of the part that is repeated: what was taken then. */
static unsigned repeat(struct pl_strategy_context *c, const struct pl_view *view, uint32_t event,
                       unsigned i)
{
    const struct pl_past_record *r = pl_past_record_of(&pl_dpor_of(c)->past, event);

    if (i < PL_PAST_OUTCOMES && r->outcome[i] != 0 && r->outcome[i] <= view->options)
        return r->outcome[i] - 1u;
    pl_dpor_replay_stray(c, "did not repeat another: it chooses otherwise within an operation",
                         &r->op, &view->at);
    return pl_view_unwritten(view);
}

bool pl_dpor_outcome_is_early(const struct pl_view *view)
{
    return view->kind == PL_CHOICE_WAY || view->kind == PL_CHOICE_WEAK_CAS;
}

unsigned pl_dpor_outcome_choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_dpor *s = pl_dpor_of(c);
    struct pl_dpor_outcomes *o = &s->outcomes;
    bool early = pl_dpor_outcome_is_early(view);
    uint32_t event = early ? s->replay.at : s->replay.at - 1;
    unsigned i = early ? o->early++ : o->late++, taken = pl_view_unwritten(view);

    if (s->replay.gone || s->past.full)
        return taken;
    if (event < s->replay.n)
        return repeat(c, view, event, i);
    if (i >= PL_PAST_OUTCOMES) {
        s->past.full = true;
        return taken;
    }
    uint32_t p = early ? pl_dpor_keep_next(s, &s->frames[event]) : 0;

    if (p != 0)
        o->planned[i] = pl_dpor_record(s, p)->outcome[i];
    if (o->planned[i] != 0 && o->planned[i] <= view->options)
        taken = o->planned[i] - 1u;
    PL_ASSERT(taken < view->options);
    o->taken[i] = (uint16_t)(taken + 1);
    o->options[i] = (uint16_t)view->options;
    if (!early)
        pl_dpor_outcome_settle(s, event);
    return taken;
}

void pl_dpor_outcome_explore(struct pl_dpor *s, uint32_t e)
{
    const struct pl_past_event *event = &s->past.events[e];

    for (unsigned i = 0; i < PL_PAST_OUTCOMES && event->options[i] != 0; i++) {
        struct pl_past_record r = *pl_past_record_of(&s->past, e);

        for (unsigned j = i + 1; j < PL_PAST_OUTCOMES; j++)
            r.outcome[j] = 0;
        uint16_t taken = r.outcome[i];

        PL_ASSERT(taken != 0 && taken <= event->options[i]);
        for (uint16_t o = 1; o <= event->options[i]; o++) {
            r.outcome[i] = o;
            r.ends = false;
            uint32_t record = pl_past_record(&s->past, &r);

            if (o == taken)
                continue;
            if (s->guide != NULL && !s->guide->outcome(s->guided, s, e, i, o))
                continue;
            if (s->variant != PL_DPOR_SOURCE && s->variant != PL_DPOR_CLASSIC)
                pl_dpor_insert(s, e, &record, 1);
            else if (!pl_dpor_in_backtrack(s, e, &r)) /* what sleeps may be woken behind it */
                pl_dpor_go_first(s, e, record);
        }
    }
}
