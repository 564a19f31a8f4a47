/* SPDX-License-Identifier: MIT */
/*
 * dpor: what is no step of the search, and how an execution ends.
 *
 * An operation that nobody can observe is performed as soon as it can be.  If the program
 * ends right after such an operation, others may or may not have come to something before: then it
 * is a step from then on.
 *
 * What ended an execution depends on everything.  It races with what others did last, as any event
 * does; and it could have come after what they were about to do, which is planned here.
 */
#include "strategy/dpor/dpor.h"

bool pl_dpor_end_is_automatic(const struct pl_dpor *s, const struct pl_operation *op)
{
    if (op->noted)
        return true;
    if (s->past.total) /* a thread that has just begun came there with its creator */
        return pl_operation_is(op->kind, PL_ROLE_BEGINS);
    if (!pl_depend_nothing(op))
        return false;
    for (unsigned i = 0; i < s->observed.n; i++) {
        if (s->observed.steps[i].name == op->name && s->observed.steps[i].ordinal == op->ordinal)
            return false;
    }
    return true;
}

/* ---- what could have come before the end ---- */

/* The operation is announced and has not been performed; a signal may come first. */
static struct pl_past_record announced(struct pl_past *p, const struct pl_operation *op)
{
    struct pl_past_record r = {.op = *op, .thread = pl_past_thread(p, op), .known = true};

    if (op->way != PL_WAY_SIGNAL)
        return r;
    r.op.addr = pl_depend_waits(op) ? pl_depend_object(op) : 0;
    r.op.effect = r.op.addr != 0 ? PL_EFFECT_READ : PL_EFFECT_NONE;
    r.op.other = 0;
    r.op.other_effect = PL_EFFECT_NONE;
    r.op.size = 1;
    r.op.came_before = op->kind;
    r.op.kind = PL_OP_SIGNAL_TAKE;
    return r;
}

/* Something about to be done when event `ending` ended the execution: it could have come before. */
static void precede(struct pl_dpor *s, uint32_t ending, const struct pl_operation *op)
{
    struct pl_past_record r = announced(&s->past, op);
    uint32_t end = s->past.events[ending].record;

    PL_ASSERT(s->past.records[end].ends || s->past.full);
    if (r.thread == s->past.events[ending].thread ||
        (s->guide != NULL && !s->guide->before_end(s->guided, s, ending, r.thread, op)))
        return;
    /* Unless it changes something for it, what ended the execution does so after it as well. */
    bool changes = pl_depend(&r.op, &s->past.records[end].op);

    if (changes)
        pl_dpor_lessen(&r);
    uint32_t v[2] = {pl_past_record(&s->past, &r), end};

    /* As a whole with every variant: what ended it may sleep, as something that does not. */
    if (s->variant == PL_DPOR_OPTIMAL || !changes)
        pl_dpor_insert(s, ending, v, changes ? 1 : 2);
    else if (!pl_dpor_in_backtrack(s, ending, &r))
        pl_dpor_add_backtrack(s, ending, v[0]);
}

/*
 * A circle of threads that wait for each other may be closed by any of them.
 * What cannot come before the operation that closed it, since it depends on it,
 * may come before that of another member.
 */
static void precede_member(struct pl_dpor *s, uint32_t ending, const struct pl_operation *member,
                           const struct pl_operation *op)
{
    struct pl_past *p = &s->past;
    struct pl_past_record r = announced(p, op);
    uint32_t last = pl_past_last(p, pl_past_thread(p, member), ending), n = 0;

    if (last == PL_PAST_NONE || pl_past_before(p, last, ending) ||
        r.thread == p->events[ending].thread || r.thread == p->events[last].thread ||
        !pl_depend(&r.op, &pl_past_record_of(p, ending)->op) ||
        pl_depend(&r.op, &pl_past_record_of(p, last)->op))
        return;
    for (uint32_t e = last + 1; e <= ending; e++) {
        if (pl_past_before(p, last, e))
            return; /* it is needed for what came after it */
        if (!p->events[e].automatic && !p->events[e].idle)
            s->v[n++] = pl_dpor_going_on(s, p->events[e].record);
    }
    PL_ASSERT(n > 0 && n + 2 <= p->events_max + 1);
    if (s->guide != NULL &&
        !s->guide->before_end(s->guided, s, last, p->records[s->v[0]].thread, op))
        return;
    struct pl_past_record closing = *pl_past_record_of(p, last);

    closing.ends = true;
    s->v[n++] = pl_past_record(p, &r);
    s->v[n++] = pl_past_record(p, &closing);
    pl_dpor_insert(s, last, s->v, n);
}

/* ---- the end ---- */

/* The last event that others could have kept from happening. */
static uint32_t last_event(const struct pl_dpor *s)
{
    uint32_t e = s->past.n_events;

    while (e > 0 && (s->past.events[e - 1].automatic || s->past.events[e - 1].idle))
        e--;
    return e == 0 ? PL_PAST_NONE : e - 1;
}

/*
 * The program ended after an operation that was no step of the search: it is one
 * from now on, since others can do something before it.
 */
static void observe_last(struct pl_strategy_context *c)
{
    struct pl_dpor *s = pl_dpor_of(c);
    struct pl_dpor_observed *observed = &s->observed;
    uint32_t e = s->past.n_events;

    /* A thread that has just begun came there with its creator. */
    while (e > 0 &&
           pl_operation_is(pl_past_record_of(&s->past, e - 1)->op.kind, PL_ROLES(BEGINS, ENDS)))
        e--;
    if (e <= s->replay.n || !s->past.events[e - 1].automatic ||
        !pl_depend_nothing(&pl_past_record_of(&s->past, e - 1)->op))
        return; /* it was one, or it cannot be put off: no more than a note */
    const struct pl_operation *op = &pl_past_record_of(&s->past, e - 1)->op;

    if (observed->n == PL_DPOR_OBSERVED) {
        s->past.full = true;
        return;
    }
    observed->steps[observed->n].name = op->name;
    observed->steps[observed->n].ordinal = op->ordinal;
    observed->n++;
    c->divergence->again = true;
}

void pl_dpor_end_last(struct pl_strategy_context *c, const struct pl_operation *const *next,
                      unsigned n)
{
    struct pl_dpor *s = pl_dpor_of(c);
    struct pl_dpor_replay *replay = &s->replay;
    uint32_t ending = last_event(s);

    if (replay->ended || replay->gone || s->past.full || replay->at < replay->n)
        return;
    replay->ended = true;
    for (unsigned i = 0; i < n; i++) {
        if (pl_depend_waits(next[i]) && !next[i]->parked)
            pl_past_pending(&s->past, next[i]);
    }
    for (unsigned i = 0; i < c->n_kept; i++)
        pl_past_kept(&s->past, next[n + i]);
    if (!c->stuck && !c->learned && n > 0)
        observe_last(c);
    if (c->stuck || ending == PL_PAST_NONE || ending < replay->n)
        return;
    pl_past_ended(&s->past, ending, next, n);
    if (s->frames[ending].p != 0)
        s->pool.nodes[s->frames[ending].p].record = s->past.events[ending].record;
    for (unsigned i = 0; i < n; i++) {
        if (next[i]->way == PL_WAY_BLOCKED || pl_dpor_end_is_automatic(s, next[i]))
            continue;
        if (pl_past_could_precede(&s->past, next[i], ending))
            precede(s, ending, next[i]);
        for (unsigned j = 0; j < n; j++) {
            if (next[j]->circle)
                precede_member(s, ending, next[j], next[i]);
        }
    }
}
