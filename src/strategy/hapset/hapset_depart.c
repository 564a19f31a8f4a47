/* SPDX-License-Identifier: MIT */
/*
 * hapset: executions that no race leads to.  They depart from an execution in a state where another
 * thread is to go on than did, so that the order they are made for is shown.
 *
 * Where nothing is kept for later, it is enough to note the thread.  Where everything is, no class
 * may be executed twice: the execution goes into the wakeup tree like one that reverses a race, and
 * only if it begins something new.
 */
#include "model/depend.h"
#include "strategy/hapset/hapset_search.h"

/* As event e may be where it comes instead of the first, without what happened after that. */
static uint32_t least_of(struct pl_dpor *d, uint32_t first, uint32_t e)
{
    const struct pl_past_race race = {.second = e, .n = 1, .taken = {first}};
    struct pl_past_record r = *pl_past_record_of(&d->past, e);

    pl_dpor_lessen(&r);
    pl_dpor_shorten(d, &r.op, &race);
    return pl_past_record(&d->past, &r);
}

/*
 * What a system call is about is found by names and numbers.  If an event that goes with the first
 * has changed them, nobody knows what it depends on without that.
 */
static bool is_about_the_same(const struct pl_past *p, uint32_t first, uint32_t e)
{
    const struct pl_past_record *r = pl_past_record_of(p, e);

    if (!pl_operation_is(r->op.kind, PL_ROLES(CALLS, OUTSIDE)))
        return true;
    for (uint32_t i = first + 1; i < e; i++) {
        if (p->events[i].thread != r->thread && pl_past_before(p, first, i) &&
            pl_past_depend(p, pl_past_record_of(p, i), r))
            return false;
    }
    return true;
}

/*
 * Whether an operation that does more than the least depends on no less.  One that looks
 * depends on additions; if it adds after all, it does not, and a departure might be none.
 */
static bool is_monotone(const struct pl_past *p, uint32_t e)
{
    unsigned kind = pl_past_record_of(p, e)->op.kind;

    return pl_operation_least(kind) != PL_EFFECT_READ || pl_operation_effect(kind) != PL_EFFECT_ADD;
}

static bool can_depart(struct pl_past *p, uint32_t first, uint32_t e)
{
    return is_monotone(p, e) && is_about_the_same(p, first, e) && pl_past_could_depart(p, first, e);
}

/* ---- another thread ---- */

/*
 * Event `due` of the thread before the first that it depends on.  Before any other it would begin
 * the same class.
 */
static void try_once(const struct pl_hapset_search *s, struct pl_dpor *d, uint32_t e, uint32_t due)
{
    struct pl_past *p = &d->past;
    const struct pl_past_record *r = pl_past_record_of(p, due);

    PL_ASSERT(e <= due && due < p->n_events);
    while (e < due && (p->events[e].automatic || !pl_past_depend(p, pl_past_record_of(p, e), r)))
        e++;
    if (e == due || r->ends || !can_depart(p, e, due))
        return;
    uint32_t record = least_of(d, e, due);

    if (pl_past_depend(p, pl_past_record_of(p, e), &p->records[record]) &&
        pl_hapset_bound_affords(s, &d->frames[e], r->thread))
        pl_dpor_insert(d, e, &record, 1);
}

void pl_hapset_try(const struct pl_hapset_search *s, uint32_t e, uint16_t thread, uint32_t goal)
{
    struct pl_dpor *d = pl_hapset_dpor(s);
    const struct pl_past_record r = {.thread = thread};
    uint32_t due = e;

    PL_ASSERT(e < d->past.n_events && thread < d->past.n_threads);
    pl_hapset_aim(d, goal);
    while (due < d->past.n_events && d->past.events[due].thread != thread)
        due++;
    if (d->keep.on && due < d->past.n_events)
        try_once(s, d, e, due);
    else if (!d->keep.on && pl_hapset_bound_affords(s, &d->frames[e], thread))
        pl_dpor_add_backtrack(d, e, pl_past_record(&d->past, &r));
}

/* ---- a sequence ---- */

/* What the thread of event e did next, if it would do so whatever came of e; else PL_PAST_NONE. */
static uint32_t next_of(const struct pl_past *p, uint32_t e, uint32_t last)
{
    uint32_t next = e + 1;

    while (next <= last && p->events[next].thread != p->events[e].thread)
        next++;
    return next <= last && pl_depend_silent(&pl_past_record_of(p, e)->op) ? next : PL_PAST_NONE;
}

/* Races must be kept, so these take less; if not all of them are, it is no matter. */
static bool has_room(const struct pl_dpor *d)
{
    return d->pool.n < d->pool.max / 4 * (d->keep.dropped ? 3 : 1);
}

bool pl_hapset_depart(const struct pl_hapset_search *s, uint32_t first, uint32_t second,
                      uint32_t last, uint32_t goal)
{
    struct pl_dpor *d = pl_hapset_dpor(s);
    struct pl_past *p = &d->past;
    const struct pl_past_race race = {.second = second, .n = 1, .taken = {first}};
    uint32_t at;

    PL_ASSERT(first < second && second <= last && last < p->n_events);
    if (!has_room(d) || p->events[first].automatic || !can_depart(p, first, second) ||
        !pl_hapset_bound_affords(s, &d->frames[first], p->events[second].thread))
        return false;
    pl_dpor_list(d);
    uint32_t n = pl_dpor_notdep(d, &race, first);

    d->v[n - 1] = least_of(d, first, second);
    while (pl_wakeup_weak_initial(p, d->v, n, p->events[first].record, &at)) {
        second = next_of(p, second, last); /* so far it could as well begin with the first */
        if (second == PL_PAST_NONE || !can_depart(p, first, second))
            return false;
        d->v[n++] = least_of(d, first, second);
    }
    pl_hapset_aim(d, goal);
    pl_dpor_insert(d, first, d->v, n);
    return d->pool.later.placed;
}
