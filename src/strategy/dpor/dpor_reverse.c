/* SPDX-License-Identifier: MIT */
/*
 * dpor: what an execution shows to be explored, by its races, by its end and by
 * the choices within its operations.  See dpor.c for the variants.
 */
#include "model/depend.h"
#include "strategy/dpor/dpor.h"

/* What is noted next has this goal; false when it is not to be noted. */
static bool aim(struct pl_dpor *s, uint32_t goal)
{
    if (goal == 0 && s->keeps) {
        s->dropped |= !pl_wakeup_roomy(&s->pool);
        goal = s->dropped ? 0 : PL_WAKEUP_LATER;
    }
    s->pool.goal = goal;
    s->pool.placed = false;
    return goal != 0;
}

/* As the operation may be in another order: the least that it can do. */
static void lessen(struct pl_operation *op)
{
    if (op->way == PL_WAY_NORMAL && pl_operation_least(op->kind) < op->effect)
        op->effect = (uint8_t)pl_operation_least(op->kind);
}

/* A record of that, unless what it goes before changes nothing. */
static uint32_t at_least(struct pl_dpor *s, const struct pl_past_record *r,
                         const struct pl_past_race *race)
{
    const struct pl_operation *before = &pl_past_record_of(&s->past, race->taken[0])->op;
    bool same = race->n == 1 && before->effect == PL_EFFECT_READ && before->other == 0;
    struct pl_past_record least = *r;

    if (!same)
        lessen(&least.op);
    least.ends = false;
    least.outcome[0] = least.outcome[1] = 0;
    return pl_past_record(&s->past, &least);
}

static bool is_covered(const struct pl_dpor *s, const struct pl_dpor_frame *f,
                       const uint32_t *sequence, uint32_t n)
{
    uint32_t at;

    for (uint32_t i = 0; i < f->n_sleep; i++) {
        if (pl_wakeup_begins(&s->past, sequence, n, s->sleepers[f->sleep + i], &at))
            return true;
    }
    for (uint32_t i = f->again ? s->pool.nodes[f->current].next : f->done; i != 0;
         i = s->pool.nodes[i].next) {
        if (pl_wakeup_begins(&s->past, sequence, n, s->pool.nodes[i].record, &at))
            return true;
    }
    return false;
}

static void explore(struct pl_dpor *s, uint32_t e, uint32_t *sequence, uint32_t n)
{
    struct pl_dpor_frame *f = &s->frames[e];

    if (!is_covered(s, f, sequence, n) && !(f->again && pl_dpor_follow(s, f, sequence, n)))
        pl_wakeup_insert(&s->pool, &s->past, &f->wut, sequence, n);
}

/* Note one thread in a state, for the variants that keep sets of threads. */
static void explore_thread(struct pl_dpor *s, uint32_t e, uint32_t record)
{
    struct pl_dpor_frame *f = &s->frames[e];
    uint32_t *place = &f->wut, node;

    if (pl_dpor_asleep(s, f, s->past.records[record].thread))
        return;
    while (*place != 0)
        place = &s->pool.nodes[*place].next;
    node = pl_wakeup_node(&s->pool, record);
    s->pool.nodes[node].goal = s->pool.goal;
    s->pool.placed = true;
    PL_STORE(*place, node);
}

/*
 * Where nothing may be executed twice: event `due` of the thread before the first that it depends
 * on.  Before any other it would begin the same class.
 */
static void try_once(struct pl_dpor *s, uint32_t e, uint32_t due)
{
    struct pl_past_record r = *pl_past_record_of(&s->past, due);

    while (e < due &&
           (s->past.events[e].automatic || !pl_past_depend(pl_past_record_of(&s->past, e), &r)))
        e++;
    if (e == due || r.ends)
        return;
    lessen(&r.op);
    r.outcome[0] = r.outcome[1] = 0;
    uint32_t record = pl_past_record(&s->past, &r);

    if (pl_past_depend(pl_past_record_of(&s->past, e), &s->past.records[record]) &&
        pl_dpor_affords(s, &s->frames[e], r.thread))
        explore(s, e, &record, 1);
}

void pl_dpor_try(struct pl_dpor *s, uint32_t e, uint16_t thread, uint32_t goal)
{
    const struct pl_past_record r = {.thread = thread};
    uint32_t due = e;

    aim(s, goal);
    while (due < s->past.n_events && s->past.events[due].thread != thread)
        due++;
    if (s->keeps && due < s->past.n_events)
        try_once(s, e, due);
    else if (!s->keeps && pl_dpor_affords(s, &s->frames[e], thread))
        explore_thread(s, e, pl_past_record(&s->past, &r));
}

static bool is_noted(const struct pl_dpor *s, uint32_t e, uint16_t thread)
{
    const struct pl_dpor_frame *f = &s->frames[e];

    return s->past.events[e].thread == thread || pl_dpor_among(s, f->done, thread) ||
           pl_dpor_among(s, f->wut, thread);
}

/* The same operation where something follows it. */
static uint32_t going_on(struct pl_dpor *s, uint32_t record)
{
    struct pl_past_record r = s->past.records[record];

    if (!r.ends)
        return record;
    r.ends = false;
    return pl_past_record(&s->past, &r);
}

/* In the state before event e the thread would go on, so that the operation comes before the end.
 */
static bool aim_before_end(struct pl_dpor *s, uint32_t e, uint16_t thread,
                           const struct pl_operation *op)
{
    if (s->guide == NULL)
        return true;
    if (!pl_dpor_affords(s, &s->frames[e], thread))
        return aim(s, 0);
    return aim(s, s->guide->before_end(s->guide->of, s, e, op));
}

/* Something about to be done when the execution ended: it could have come before the end. */
void pl_dpor_before_end(struct pl_dpor *s, uint32_t ending, const struct pl_operation *op)
{
    struct pl_past_record r = {.op = *op, .thread = pl_past_thread(&s->past, op), .known = true};
    uint32_t end = s->past.events[ending].record;

    if (r.thread == s->past.events[ending].thread || !aim_before_end(s, ending, r.thread, op))
        return;
    /* Unless it changes something for it, what ended the execution does so after it as well. */
    bool changes = pl_depend(&r.op, &s->past.records[end].op);

    if (changes)
        lessen(&r.op);
    uint32_t sequence[2] = {pl_past_record(&s->past, &r), end};

    /* As a whole with every variant: what ended it may sleep, as something that does not. */
    if (s->variant == PL_DPOR_OPTIMAL || !changes)
        explore(s, ending, sequence, changes ? 1 : 2);
    else if (!is_noted(s, ending, r.thread))
        explore_thread(s, ending, sequence[0]);
}

/*
 * A circle of threads that wait for each other may be closed by any of them.
 * What cannot come before the operation that closed it, since it depends on it,
 * may come before that of another member.
 */
void pl_dpor_within_circle(struct pl_dpor *s, uint32_t ending, const struct pl_operation *member,
                           const struct pl_operation *op)
{
    struct pl_past *p = &s->past;
    struct pl_past_record r = {.op = *op, .thread = pl_past_thread(p, op), .known = true};
    uint32_t last = pl_past_last(p, pl_past_thread(p, member), ending), n = 0;

    if (last == PL_PAST_NONE || pl_past_before(p, last, ending) ||
        r.thread == p->events[ending].thread || r.thread == p->events[last].thread ||
        !pl_depend(&r.op, &pl_past_record_of(p, ending)->op) ||
        pl_depend(&r.op, &pl_past_record_of(p, last)->op))
        return;
    for (uint32_t e = last + 1; e <= ending; e++) {
        if (pl_past_before(p, last, e))
            return; /* it is needed for what came after it */
        if (!p->events[e].automatic)
            s->sequence[n++] = going_on(s, p->events[e].record);
    }
    if (!aim_before_end(s, last, p->records[s->sequence[0]].thread, op))
        return;
    struct pl_past_record closing = *pl_past_record_of(p, last);

    closing.ends = true;
    s->sequence[n++] = pl_past_record(p, &r);
    s->sequence[n++] = pl_past_record(p, &closing);
    explore(s, last, s->sequence, n);
}

/* Whether event e happened before the second operation of the race. */
static bool leads_to(const struct pl_dpor *s, const struct pl_past_race *race, uint32_t e)
{
    const struct pl_past *p = &s->past;

    if (!race->pending) /* everything comes before the end */
        return pl_past_record_of(p, race->second)->ends || pl_past_before(p, e, race->second);
    uint32_t last = p->threads[p->pending[race->second].thread].last;
    uint32_t waker = pl_past_waker(p, &p->pending[race->second].op);

    return (last != PL_PAST_NONE && pl_past_before(p, e, last)) ||
           (waker != PL_PAST_NONE && pl_past_before(p, e, waker));
}

/*
 * The events behind the race's first that do not happen after it, then its
 * second.  To find out who may begin, those that lead to the second are enough;
 * any other might sleep, which says nothing about this race.
 */
static uint32_t reversed(struct pl_dpor *s, const struct pl_past_race *race, uint32_t first)
{
    struct pl_past *p = &s->past;
    uint32_t n = 0;

    for (uint32_t e = first + 1; e < p->n_events; e++) {
        bool after = (!race->pending && e == race->second) || pl_past_is_taken(p, race, e);

        if (s->variant != PL_DPOR_OPTIMAL && !leads_to(s, race, e))
            continue;
        if (!after && !p->events[e].automatic)
            s->sequence[n++] = going_on(s, p->events[e].record);
    }
    const struct pl_past_record *second =
        race->pending ? &p->pending[race->second] : pl_past_record_of(p, race->second);

    if (race->instead) {
        struct pl_past_record alone = pl_past_unwoken(second);

        s->sequence[n++] = pl_past_record(p, &alone);
        return n;
    }
    /* With the end of the execution everything is in a race, and nothing else changes. */
    s->sequence[n++] = !race->pending && second->ends && !pl_past_before(p, first, race->second)
                           ? p->events[race->second].record
                           : at_least(s, second, race);
    return n;
}

static void reverse_source(struct pl_dpor *s, uint32_t first, uint32_t n)
{
    const struct pl_past *p = &s->past;
    uint32_t chosen = 0, at;

    for (uint32_t i = 0; i < n; i++) {
        uint16_t thread = p->records[s->sequence[i]].thread;
        bool initial = pl_wakeup_begins(p, s->sequence, i, s->sequence[i], &at) && at == i;

        if (!initial)
            continue;
        if (is_noted(s, first, thread) || pl_dpor_asleep(s, &s->frames[first], thread))
            return;
        if (chosen == 0)
            chosen = s->sequence[i];
    }
    if (chosen != 0)
        explore_thread(s, first, chosen);
}

bool pl_dpor_enabled(const struct pl_dpor *s, uint32_t e, uint16_t thread)
{
    const struct pl_dpor_frame *f = &s->frames[e];

    for (uint32_t i = 0; i < f->n_enabled; i++) {
        if (s->enabled[f->enabled + i] == thread)
            return true;
    }
    return false;
}

/*
 * A thread that leads to the second operation: true if it is noted already.
 * Else it may be chosen, unless it sleeps: what begins with it has been explored,
 * but it need not be what the race begins with.
 */
static bool leads_there(const struct pl_dpor *s, uint32_t first, uint16_t thread, uint32_t *chosen,
                        uint32_t record)
{
    if (!pl_dpor_enabled(s, first, thread))
        return false;
    if (is_noted(s, first, thread))
        return true;
    if (*chosen == 0 && !pl_dpor_asleep(s, &s->frames[first], thread))
        *chosen = record;
    return false;
}

static void reverse_classic(struct pl_dpor *s, uint32_t first, const struct pl_past_race *race,
                            uint32_t n)
{
    const struct pl_past *p = &s->past;
    const struct pl_dpor_frame *f = &s->frames[first];
    uint32_t last = s->sequence[n - 1], chosen = 0;
    /* What leads to the second operation is what its thread knows before it. */
    uint32_t before =
        race->pending ? p->threads[p->records[last].thread].last : p->events[race->second].before;

    if (f->n_enabled == 0)
        return; /* nobody else could go on */
    if (leads_there(s, first, p->records[last].thread, &chosen, last))
        return;
    for (uint32_t e = first + 1; before != PL_PAST_NONE && e <= before; e++) {
        if (pl_past_before(p, e, before) &&
            leads_there(s, first, p->events[e].thread, &chosen, p->events[e].record))
            return;
    }
    if (chosen != 0) {
        explore_thread(s, first, chosen);
        return;
    }
    for (uint32_t i = 0; i < f->n_enabled; i++) {
        struct pl_past_record r = {.thread = s->enabled[f->enabled + i]};

        if (!is_noted(s, first, r.thread))
            explore_thread(s, first, pl_past_record(&s->past, &r));
    }
}

/* All that can go on within the bound: which of them leads there is not asked (see hapset.c). */
static void reverse_bounded(struct pl_dpor *s, uint32_t first)
{
    const struct pl_dpor_frame *f = &s->frames[first];

    for (uint32_t i = 0; i < f->n_enabled; i++) {
        struct pl_past_record r = {.thread = s->enabled[f->enabled + i]};

        if (!is_noted(s, first, r.thread) && pl_dpor_affords(s, f, r.thread))
            explore_thread(s, first, pl_past_record(&s->past, &r));
    }
}

/* The second operation would come before the first, whose state is given. */
static bool aim_at_race(struct pl_dpor *s, const struct pl_past_race *race,
                        const struct pl_dpor_frame *f)
{
    uint16_t thread =
        race->pending ? s->past.pending[race->second].thread : s->past.events[race->second].thread;

    if (s->guide == NULL)
        return true;
    bool asked = !race->pending && race->second < s->n; /* after an earlier execution */

    if (s->keeps && (asked || !pl_dpor_affords(s, f, thread)))
        return aim(s, 0);
    return aim(s, s->guide->race(s->guide->of, s, race));
}

static void reverse(struct pl_dpor *s, const struct pl_past_race *race)
{
    uint32_t first = pl_past_first(race);

    if (!aim_at_race(s, race, &s->frames[first]))
        return;
    uint32_t n = reversed(s, race, first);

    if (s->variant == PL_DPOR_OPTIMAL)
        explore(s, first, s->sequence, n);
    else if (s->variant == PL_DPOR_SOURCE)
        reverse_source(s, first, n);
    else if (s->variant == PL_DPOR_BOUNDED)
        reverse_bounded(s, first);
    else
        reverse_classic(s, first, race, n);
}

/* As an event may be where it comes before others than it did. */
static uint32_t least_of(struct pl_dpor *s, uint32_t e)
{
    struct pl_past_record r = *pl_past_record_of(&s->past, e);

    lessen(&r.op);
    r.ends = false;
    r.outcome[0] = r.outcome[1] = 0;
    return pl_past_record(&s->past, &r);
}

/* What the thread of event e did next, if it would do so whatever came of e; else PL_PAST_NONE. */
static uint32_t next_of(const struct pl_past *p, uint32_t e, uint32_t last)
{
    uint32_t next = e + 1;

    while (next <= last && p->events[next].thread != p->events[e].thread)
        next++;
    return next <= last && pl_depend_silent(&pl_past_record_of(p, e)->op) ? next : PL_PAST_NONE;
}

/* Races must be kept, so these take less; if not all of them are, it is no matter. */
static bool has_room(const struct pl_dpor *s)
{
    return s->pool.n < s->pool.max / 4 * (s->dropped ? 3 : 1);
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
    return is_monotone(p, e) && pl_past_could_depart(p, first, e);
}

bool pl_dpor_depart(struct pl_dpor *s, uint32_t first, uint32_t second, uint32_t last,
                    uint32_t goal)
{
    struct pl_past *p = &s->past;
    const struct pl_past_race race = {.second = second, .n = 1, .taken = {first}};
    uint32_t at;

    if (!has_room(s) || p->events[first].automatic || !can_depart(p, first, second) ||
        !pl_dpor_affords(s, &s->frames[first], p->events[second].thread))
        return false;
    uint32_t n = reversed(s, &race, first);

    s->sequence[n - 1] = least_of(s, second);
    while (pl_wakeup_begins(p, s->sequence, n, p->events[first].record, &at)) {
        second = next_of(p, second, last); /* so far it could as well begin with the first */
        if (second == PL_PAST_NONE || !can_depart(p, first, second))
            return false;
        s->sequence[n++] = least_of(s, second);
    }
    aim(s, goal);
    explore(s, first, s->sequence, n);
    return s->pool.placed;
}

/* The other outcomes of choices within event e. */
static void explore_outcomes(struct pl_dpor *s, uint32_t e)
{
    const struct pl_past_event *event = &s->past.events[e];

    for (unsigned i = 0; i < PL_PAST_OUTCOMES && event->options[i] != 0; i++) {
        struct pl_past_record r = *pl_past_record_of(&s->past, e);

        for (unsigned j = i + 1; j < PL_PAST_OUTCOMES; j++)
            r.outcome[j] = 0;
        uint16_t taken = r.outcome[i];

        for (uint16_t o = 1; o <= event->options[i]; o++) {
            r.outcome[i] = o;
            r.ends = false;
            uint32_t record = pl_past_record(&s->past, &r);

            if (o == taken)
                continue;
            if (s->guide != NULL && !aim(s, s->guide->outcome(s->guide->of, s, e, i, o)))
                continue;
            explore(s, e, &record, 1);
        }
    }
}

void pl_dpor_look_back(struct pl_dpor *s)
{
    struct pl_past *p = &s->past;

    for (uint32_t e = s->n; e < p->n_events; e++)
        explore_outcomes(s, e);
    for (uint32_t i = 0; i < p->n_races; i++)
        reverse(s, &p->races[i]);
}
