/* SPDX-License-Identifier: MIT */
/*
 * hapset: orders that no race leads to.
 *
 * The published rule asks about races only.  Two statements in critical sections are never in
 * a race; the acquisitions around them are, and these are soon known in both orders.
 * The same holds for statements between which a lock is handed on that has nothing to
 * do with them.  So such an order may stay unknown although it is possible, in particular
 * when the orders on the way to it have been learned before.
 *
 * When the published rule has nothing left, each pair of events is looked at in which y came
 * before x and no good execution has shown x before y.  If nothing that leads to x needs y,
 * there is an execution in which the thread of y stops: before y, or before
 * the critical section around it if x needs the same lock.  It goes on when x has come.
 *
 * The same is done for statements that have never come before all that conflicts with them, which
 * needs more than one reversal if that is in a loop; and for those that wait for another thread and
 * have never come after all that conflicts with them: if all signals come before the wait, it never
 * ends.
 */
#include "base/hash.h"
#include "strategy/dpor/wakeup_later.h"
#include "strategy/hapset/hapset_search.h"

enum {
    APART = 2000,     /* events between the two: more come of loops */
    EVENTS = 1 << 15, /* of an execution that are looked at: more come of loops */
    STEPS = 16,       /* operations that the thread of y may stop earlier than it had to */
    PATIENCE = 1000,  /* events that it may take longer than before until x comes */
    INSTANCES = 2,    /* of a pair of statements that are looked at in one execution, */
    LOOKS = 4,        /* and in all of a phase */
    PROBES = 8,
};

static struct pl_hapset_search *search_of(const void *of)
{
    return pl_hapset_of(of);
}

/* Whether the thread has come so far. */
static bool has_come(const struct pl_dpor *d, uint16_t thread, uint32_t ordinal)
{
    uint32_t last = d->past.threads[thread].last;

    PL_ASSERT(thread < d->past.n_threads);
    return last != PL_PAST_NONE && pl_past_record_of(&d->past, last)->op.ordinal >= ordinal;
}

/*
 * In a loop the leader might wait for the thread that waits for it: not for ever.  A thread that is
 * to come last has no leader, but waits for everybody.
 */
void pl_hapset_pursue(const struct pl_hapset_search *s, const struct pl_dpor *d, uint16_t *wanted,
                      uint16_t *held)
{
    const struct pl_hapset_goal *g = &s->goals[s->goal];

    PL_ASSERT(s->goal < s->n_goals);
    if (s->goal < PL_HAPSET_FIRST_GOAL || !g->order)
        return;
    if (has_come(d, g->last ? g->thread : g->leader, g->last ? g->ordinal : g->led))
        return;
    if (d->replay.at < g->until) {
        *wanted = g->last ? PL_DPOR_NOBODY : g->leader;
        *held = g->thread;
    } else if (!has_come(d, g->thread, g->ordinal)) {
        *wanted = g->thread;
    }
}

static bool is_planned(const struct pl_hapset_search *s, uint32_t statement, uint32_t predecessor)
{
    for (uint32_t i = s->first_goal; i < s->n_goals; i++) {
        if (s->goals[i].statement == statement && s->goals[i].predecessor == predecessor)
            return true;
    }
    return false;
}

static uint32_t place_of(uint64_t pair)
{
    return (uint32_t)(pl_hash_mix(pair) % PL_HAPSET_LOOKS);
}

/* The entry of a pair.  If too many share a few places, some are looked at more often. */
static struct pl_hapset_look *look_of(struct pl_hapset_search *s, uint64_t pair)
{
    struct pl_hapset_look *first = &s->looks[place_of(pair)];

    for (uint32_t i = 0; i < PROBES; i++) {
        struct pl_hapset_look *l = &s->looks[(place_of(pair) + i) % PL_HAPSET_LOOKS];

        if (l->pair == 0 || l->beginning != s->looks_begun) {
            first = l;
            break;
        }
        if (l->pair == pair + 1)
            return l;
    }
    *first = (struct pl_hapset_look){.pair = pair + 1, .beginning = s->looks_begun};
    if (is_planned(s, (uint32_t)(pair >> 32), (uint32_t)pair))
        first->all = LOOKS;
    return first;
}

/* Whether enough events of this pair have been looked at. */
static bool is_seen(struct pl_hapset_search *s, uint32_t statement, uint32_t predecessor)
{
    struct pl_hapset_look *l = look_of(s, (uint64_t)statement << 32 | predecessor);

    PL_ASSERT(l->execution <= s->made);
    if (l->execution != s->made)
        l->now = 0;
    l->execution = s->made;
    if (l->now >= INSTANCES || l->all >= LOOKS)
        return true;
    l->now++;
    l->all++;
    return false;
}

/* Somebody who can go on instead of event e and leads to x, himself if he can. */
static uint16_t leader_at(const struct pl_hapset_search *s, const struct pl_dpor *d, uint32_t e,
                          uint32_t x)
{
    const struct pl_past *p = &d->past;

    if (pl_dpor_enabled(d, e, p->events[x].thread))
        return p->events[x].thread;
    for (uint32_t i = e + 1; i < x; i++) {
        if (pl_orders_leads(&s->orders, p, i) && pl_dpor_enabled(d, e, p->events[i].thread))
            return p->events[i].thread;
    }
    return PL_DPOR_NOBODY;
}

/* The events of a thread before which it can stop, outside of locks that x needs, the latest first.
 */
struct stops {
    uint32_t next;
    unsigned taken;
};

/* PL_PAST_NONE: there is no other. */
static uint32_t next_stop(const struct pl_hapset_search *s, const struct pl_past *p,
                          struct stops *i)
{
    while (i->next != PL_PAST_NONE && i->next >= s->orders.floor && i->taken++ < STEPS) {
        uint32_t e = i->next, obstacle = pl_orders_obstacle(&s->orders, p, e);

        i->next = obstacle != PL_PAST_NONE ? obstacle : p->events[e].before;
        if (obstacle == PL_PAST_NONE)
            return e;
    }
    return PL_PAST_NONE;
}

/* The latest event of y's thread before which it can stop for x; PL_PAST_NONE: there is none. */
static uint32_t stop_for(const struct pl_hapset_search *s, const struct pl_dpor *d, uint32_t y,
                         uint32_t x, uint16_t *begins)
{
    const struct pl_past *p = &d->past;
    struct stops i = {.next = y};
    uint32_t e;

    while ((e = next_stop(s, p, &i)) != PL_PAST_NONE) {
        *begins = p->events[e].automatic ? PL_DPOR_NOBODY : leader_at(s, d, e, x);
        if (*begins != PL_DPOR_NOBODY && !pl_dpor_among(d, d->frames[e].wut, *begins))
            break;
    }
    return e;
}

/* The goal with what y, x, and where the thread of y stops add to it. */
static struct pl_hapset_goal complete(struct pl_hapset_goal goal, const struct pl_past *p,
                                      uint32_t y, uint32_t x, uint32_t stop)
{
    PL_ASSERT(stop <= y && y < x && p->events[stop].thread == p->events[y].thread);
    goal.ordinal = pl_past_record_of(p, stop)->op.ordinal;
    goal.thread = p->events[y].thread;
    goal.order = true;
    goal.leader = p->events[x].thread;
    goal.led = pl_past_record_of(p, x)->op.ordinal;
    goal.until = x + PATIENCE;
    return goal;
}

static void plan(struct pl_hapset_search *s, struct pl_dpor *d, struct pl_hapset_goal goal,
                 uint32_t y, uint32_t x, uint32_t stop, uint16_t begins)
{
    if (s->n_goals == s->goals_max)
        return;
    s->goals[s->n_goals++] = complete(goal, &d->past, y, x, stop);
    if (s->phase != PL_HAPSET_RACES) /* there it is only remembered: see pl_hapset_left() */
        pl_hapset_try(s, stop, begins, s->n_goals - 1);
    look_of(s, (uint64_t)goal.statement << 32 | goal.predecessor)->all = LOOKS;
}

/* The first event after `stop` that leads to x and did not come without it. */
static uint32_t departure(const struct pl_hapset_search *s, const struct pl_past *p, uint32_t stop,
                          uint32_t x)
{
    uint32_t e = stop + 1;

    while (e < x && !(pl_orders_leads(&s->orders, p, e) && pl_past_before(p, stop, e)))
        e++;
    return e;
}

/*
 * Where nothing may be executed twice, and nothing is dropped: the execution departs where y's
 * thread stops, with what leads to x, if that begins something new.  It waits for its phase.
 */
static void plan_once(const struct pl_strategy_context *c, struct pl_hapset_goal goal, uint32_t y,
                      uint32_t x)
{
    struct pl_hapset_search *s = search_of(c);
    struct pl_dpor *d = pl_hapset_dpor(s);
    const struct pl_past *p = &d->past;
    bool now = pl_hapset_suspect(c->hapset, goal.statement, goal.predecessor);
    unsigned rank = now ? 0 : pl_hapset_rank(PL_HAPSET_ORDERS);
    struct stops i = {.next = y};
    uint32_t e;

    while ((e = next_stop(s, p, &i)) != PL_PAST_NONE) {
        PL_ASSERT(e >= s->orders.floor && e <= y);
        if (s->n_goals == s->goals_max || x - e > APART ||
            (goal.due && pl_orders_hidden(&s->orders, p, s->events, e, y, x)))
            return;
        s->goals[s->n_goals] = complete(goal, p, y, x, e);
        if (pl_hapset_depart(s, e, departure(s, p, e, x), x, pl_wakeup_ranked(s->n_goals, rank))) {
            s->n_goals++;
            look_of(s, (uint64_t)goal.statement << 32 | goal.predecessor)->all = LOOKS;
            return;
        }
    }
}

/* Whether the unknown order is wanted, and no attempt at it is still to be made. */
static bool is_open(const struct pl_strategy_context *c, uint32_t statement, uint32_t predecessor)
{
    struct pl_hapset_search *s = search_of(c);

    if (s->phase == PL_HAPSET_SUSPECTS && !pl_hapset_dpor(s)->keep.on &&
        !pl_hapset_suspect(c->hapset, statement, predecessor))
        return false;
    return !is_seen(s, statement, predecessor);
}

/* Most pairs are known, and come again and again. */
static bool is_known(const struct pl_strategy_context *c, uint32_t statement, uint32_t predecessor)
{
    uint64_t pair = (uint64_t)statement << 32 | predecessor;
    uint64_t *known = &search_of(c)->known[place_of(pair)];

    if (*known == pair + 1)
        return true;
    if (statement != PL_COVER_NOTHING && predecessor != PL_COVER_NOTHING &&
        pl_hapset_why(c->hapset, statement, predecessor) == 0)
        return false;
    *known = pair + 1;
    return true;
}

/* If the order is wanted and y could come after x: plan an execution in which it does. */
static void pursue(struct pl_strategy_context *c, struct pl_hapset_goal goal, uint32_t y,
                   uint32_t x)
{
    struct pl_hapset_search *s = search_of(c);
    struct pl_dpor *d = pl_hapset_dpor(s);
    const struct pl_past *p = &d->past;
    uint16_t begins;

    PL_ASSERT(y < x && x < p->n_events);
    if (is_known(c, goal.statement, goal.predecessor) ||
        !is_open(c, goal.statement, goal.predecessor) || !pl_orders_possible(&s->orders, p, y, x))
        return;
    if (d->keep.on) {
        plan_once(c, goal, y, x);
        return;
    }
    uint32_t stop = stop_for(s, d, y, x, &begins);

    if (stop == PL_PAST_NONE || x - stop > APART ||
        (goal.due && pl_orders_hidden(&s->orders, p, s->events, stop, y, x)))
        return;
    plan(s, d, goal, y, x, stop, begins);
}

static void consider(void *to, uint32_t y, uint32_t x)
{
    const struct pl_predecessors_event *events = search_of(to)->events;

    pursue(to,
           (struct pl_hapset_goal){
               .statement = events[y].statement, .predecessor = events[x].statement, .due = true},
           y, x);
}

/* x came after all that conflicts with it and is to come first, or y before and is to come last. */
static void consider_ends(void *to, uint32_t y, uint32_t x, bool first)
{
    const struct pl_predecessors_event *events = search_of(to)->events;

    if (first)
        pursue(to,
               (struct pl_hapset_goal){.statement = events[x].statement,
                                       .predecessor = PL_HAPSET_FIRST},
               y, x);
    else if (events[y].waits)
        pursue(to,
               (struct pl_hapset_goal){
                   .statement = events[y].statement, .predecessor = PL_HAPSET_LAST, .last = true},
               y, x);
}

void pl_hapset_look(struct pl_strategy_context *c)
{
    struct pl_hapset_search *s = search_of(c);
    struct pl_dpor *d = pl_hapset_dpor(s);
    uint32_t n = d->past.n_events < s->events_max ? d->past.n_events : s->events_max;

    n = n < EVENTS ? n : EVENTS;
    n = n < s->orders.needs_max ? n : s->orders.needs_max;
    if (d->replay.gone)
        return;
    pl_orders_find(&s->orders, &d->past, s->events, n, consider, c);
    pl_orders_ends(&s->orders, s->events, consider_ends, c);
}

void pl_hapset_remember(const struct pl_strategy_context *c, struct pl_hapset_goal goal)
{
    struct pl_hapset_search *s = search_of(c);

    if (is_known(c, goal.statement, goal.predecessor) || s->n_goals == s->goals_max)
        return;
    struct pl_hapset_look *l = look_of(s, (uint64_t)goal.statement << 32 | goal.predecessor);

    if (l->all >= LOOKS)
        return;
    PL_ASSERT(s->n_goals >= PL_HAPSET_FIRST_GOAL);
    l->all = LOOKS;
    goal.order = true;
    s->goals[s->n_goals++] = goal;
}

bool pl_hapset_left(const struct pl_strategy_context *c)
{
    const struct pl_hapset_search *s = search_of(c);

    for (uint32_t i = PL_HAPSET_FIRST_GOAL; i < s->n_goals; i++) {
        if (s->goals[i].order &&
            pl_hapset_why(c->hapset, s->goals[i].statement, s->goals[i].predecessor) == 0)
            return true;
    }
    return false;
}
