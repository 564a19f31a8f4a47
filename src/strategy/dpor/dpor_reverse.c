/* SPDX-License-Identifier: MIT */
/*
 * dpor: what the races of an execution show to be explored.  The variants differ in what they note
 * in the state before the first event of a race; dpor.h has the words and the line numbers.
 *
 * What a race takes away may be more than one event (past.h): e is the first of them, and notdep(e,
 * E) has no event that happened after any of them.
 */
#include "strategy/dpor/dpor.h"

/* ---- v ---- */

uint32_t pl_dpor_going_on(struct pl_dpor *s, uint32_t record)
{
    if (!s->past.records[record].ends)
        return record;
    struct pl_past_record r = s->past.records[record];

    r.ends = false;
    return pl_past_record(&s->past, &r);
}

/* Whether event e happened before the second operation of the race. */
static bool leads_to(const struct pl_dpor *s, const struct pl_past_race *race, uint32_t e)
{
    const struct pl_past *p = &s->past;

    if (!race->pending) /* everything comes before the end */
        return pl_past_record_of(p, race->second)->ends || pl_past_leads(p, e, race->second);
    uint32_t last = p->threads[p->pending[race->second].thread].last;
    uint32_t waker = pl_past_waker(p, &p->pending[race->second].op);

    return (last != PL_PAST_NONE && pl_past_leads(p, e, last)) ||
           (waker != PL_PAST_NONE && pl_past_before(p, e, waker));
}

/* The thread's first event from number i on, or the end. */
static uint32_t first_of(const struct pl_dpor *s, unsigned thread, uint32_t i)
{
    const struct pl_dpor_lists *l = &s->lists;
    uint32_t low = l->begin[thread], high = l->begin[thread + 1], end = high;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (l->events[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end ? l->events[low] : s->past.n_events;
}

/* Where the thread that took a signal as event e did what that came before; or the end. */
static uint32_t gone_on(const struct pl_dpor *s, uint32_t e)
{
    const struct pl_past *p = &s->past;
    const struct pl_operation *taken = &pl_past_record_of(p, e)->op, *op;
    uint32_t i = e;

    do {
        i = first_of(s, p->events[e].thread, i + 1);
        op = i < p->n_events ? &pl_past_record_of(p, i)->op : NULL;
    } while (op != NULL && (!op->again || op->kind != taken->came_before || op->pc != taken->pc));
    return i;
}

/* Whether it is about nothing that others use, whatever it has been told: a sleep, say. */
static bool is_about_nothing(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_UNNOTICED) &&
           !pl_operation_is(op->kind, PL_ROLE_JOINS);
}

/*
 * What the thread could have done instead of event e.  Of an operation that a signal has come
 * before, all that it is about is known where it was performed after that.  If it never was, it may
 * be about anything: whatever it is taken to have nothing to do with would count as explored.
 */
static uint32_t instead_of(struct pl_dpor *s, uint32_t e)
{
    struct pl_past *p = &s->past;
    struct pl_past_record alone = pl_past_unwoken(pl_past_record_of(p, e));

    if (pl_past_record_of(p, e)->op.way == PL_WAY_SIGNAL) {
        uint32_t next = gone_on(s, e);

        if (next < p->n_events) {
            alone = *pl_past_record_of(p, next);
            alone.idle = false;
            alone.op.way = PL_WAY_NORMAL;
            pl_dpor_lessen(&alone);
        } else if (alone.op.addr == 0 && !is_about_nothing(&alone.op)) {
            alone.known = false;
        }
    }
    return pl_past_record(p, &alone);
}

/* The last of v. */
static uint32_t second_of(struct pl_dpor *s, const struct pl_past_race *race, uint32_t e)
{
    struct pl_past *p = &s->past;
    const struct pl_past_record *second =
        race->pending ? &p->pending[race->second] : pl_past_record_of(p, race->second);

    if (race->instead)
        return instead_of(s, race->signal != 0 ? race->signal - 1 : race->second);
    /* With the end of the execution everything is in a race, and nothing else changes. */
    if (!race->pending && second->ends && !pl_past_before(p, e, race->second))
        return p->events[race->second].record;
    return pl_dpor_at_least(s, second, race);
}

/* Whether event i was for nothing, together with others among which is not the second of a race. */
static bool is_round(const struct pl_past *p, uint32_t i, uint32_t second)
{
    return p->events[i].round != 0 &&
           (second == PL_PAST_NONE || p->events[second].round != p->events[i].round);
}

void pl_dpor_list(struct pl_dpor *s)
{
    const struct pl_past *p = &s->past;
    uint32_t *begin = s->lists.begin;

    for (unsigned t = 0; t <= p->n_threads; t++)
        begin[t] = 0;
    for (uint32_t i = 0; i < p->n_events; i++)
        begin[p->events[i].thread + 1]++;
    for (unsigned t = 1; t <= p->n_threads; t++)
        begin[t] += begin[t - 1];
    for (uint32_t i = 0; i < p->n_events; i++)
        s->lists.events[begin[p->events[i].thread]++] = i;
    for (unsigned t = p->n_threads; t > 0; t--)
        begin[t] = begin[t - 1];
    begin[0] = 0;
    PL_ASSERT(begin[p->n_threads] == p->n_events);
}

/* The first event from number i on of a thread that is not over. */
static uint32_t first_open(const struct pl_dpor *s, uint32_t i)
{
    uint32_t least = s->past.n_events;

    for (unsigned t = 0; t < s->past.n_threads; t++) {
        uint32_t first = s->lists.over[t] ? least : first_of(s, t, i);

        if (first < least)
            least = first;
    }
    return least;
}

/*
 * O5, S7.  To find out who may begin, those that lead to the second event are enough; any other
 * might sleep, which says nothing about this race.
 *
 * What a thread does after an event that is left out is left out, too.  In a long execution whose
 * threads meet again and again that is nearly everything, so what belongs to such threads is
 * stepped over.
 */
uint32_t pl_dpor_notdep(struct pl_dpor *s, const struct pl_past_race *race, uint32_t e)
{
    struct pl_past *p = &s->past;
    const uint32_t second = race->pending ? PL_PAST_NONE : race->second;
    const bool all = s->variant == PL_DPOR_OPTIMAL;
    const uint32_t end = all || race->pending ? p->n_events : second;
    const uint32_t last = second_of(s, race, e);
    uint32_t n = 0, passed = 0;

    PL_ASSERT(e < p->n_events && e < second);
    for (unsigned t = 0; t < p->n_threads; t++)
        s->lists.over[t] = false;
    for (uint32_t i = e + 1; i < end; i++) {
        if (i == second || p->events[i].automatic || p->events[i].idle || is_round(p, i, second))
            continue;
        if (s->lists.over[p->events[i].thread]) {
            PL_CHECK(pl_past_is_taken(p, race, i));
            if (++passed > p->n_threads) {
                passed = 0;
                i = first_open(s, i) - 1;
            }
            continue;
        }
        if (pl_past_is_taken(p, race, i))
            s->lists.over[p->events[i].thread] = true;
        else if (all || leads_to(s, race, i))
            s->v[n++] = pl_dpor_going_on(s, p->events[i].record);
    }
    s->v[n++] = last;
    PL_ASSERT(n <= p->n_events);
    return n;
}

/* ---- wut(E') ---- */

/* O6: whether somebody in sleep(E') is a weak initial of v. */
static bool has_weak_initial_asleep(const struct pl_dpor *s, const struct pl_dpor_frame *f,
                                    const uint32_t *v, uint32_t n)
{
    uint32_t at;

    for (uint32_t i = 0; i < f->n_sleep; i++) {
        if (pl_wakeup_weak_initial(&s->past, v, n, s->sleepers[f->sleep + i], &at))
            return true;
    }
    for (uint32_t i = pl_dpor_keep_before(s, f); i != 0; i = s->pool.nodes[i].next) {
        if (pl_wakeup_weak_initial(&s->past, v, n, s->pool.nodes[i].record, &at))
            return true;
    }
    return false;
}

/*
 * The look leads round a loop here.  Where that was not seen at once, v may begin with it all the
 * same: it is no step of v then, however often.  The length of v without it.
 */
static uint32_t without_look(const struct pl_past *p, uint32_t *v, uint32_t n, uint32_t look)
{
    const struct pl_past_record *idle = &p->records[look];
    uint32_t at;

    while (idle->idle && pl_wakeup_weak_initial(p, v, n, look, &at) && at + 1 < n &&
           pl_depend_looks(&p->records[v[at]].op) && p->records[v[at]].op.addr == idle->op.addr)
        n = pl_wakeup_without(v, n, at);
    return n;
}

static uint32_t without_looks(const struct pl_dpor *s, const struct pl_dpor_frame *f, uint32_t *v,
                              uint32_t n)
{
    for (uint32_t i = 0; i < f->n_sleep; i++)
        n = without_look(&s->past, v, n, s->sleepers[f->sleep + i]);
    for (uint32_t i = pl_dpor_keep_before(s, f); i != 0; i = s->pool.nodes[i].next)
        n = without_look(&s->past, v, n, s->pool.nodes[i].record);
    return n;
}

/* False if somebody who sleeps has explored it; looks for nothing are no steps of it any more. */
static bool insert(struct pl_dpor *s, uint32_t e, uint32_t *v, uint32_t *n)
{
    struct pl_dpor_frame *f = &s->frames[e];

    PL_ASSERT(e <= s->past.n_events && *n > 0);
    *n = without_looks(s, f, v, *n);
    if (has_weak_initial_asleep(s, f, v, *n))
        return false;
    if (!f->taken.again || !pl_dpor_keep_follow(s, f, v, *n))
        pl_wakeup_insert(&s->pool, &s->past, &f->wut, v, *n); /* O7 */
    return true;
}

void pl_dpor_insert(struct pl_dpor *s, uint32_t e, uint32_t *v, uint32_t n)
{
    insert(s, e, v, &n);
}

/*
 * Whoever looks at the word of a futex and finds what it wants begins to wait, in one step; behind
 * somebody who changes the word it only looks.  So what was explored behind that change shows no
 * race of the look with those who wake: not even that they may come before a look that comes before
 * the change.  v goes on with the look then, which no such change may come before.
 */
static void insert_with_look(struct pl_dpor *s, const struct pl_past_race *race, uint32_t e,
                             uint32_t n)
{
    const struct pl_past_record *look = pl_past_record_of(&s->past, e);

    if (race->pending || race->n != 1 || race->instead || look->ends || !look->known ||
        !pl_operation_is(look->op.kind, PL_ROLE_QUEUES) || look->op.other == 0)
        return;
    struct pl_past_record behind = *look;

    pl_dpor_lessen(&behind);
    s->v[n++] = pl_past_record(&s->past, &behind);
    insert(s, e, s->v, &n);
}

/* ---- backtrack(E') ---- */

/* Whether one of the branches beside each other is what the record says. */
static bool is_among(const struct pl_dpor *s, uint32_t node, const struct pl_past_record *r)
{
    while (node != 0 && !pl_wakeup_agree(pl_dpor_record(s, node), r))
        node = s->pool.nodes[node].next;
    return node != 0;
}

bool pl_dpor_in_backtrack(const struct pl_dpor *s, uint32_t e, const struct pl_past_record *r)
{
    const struct pl_dpor_frame *f = &s->frames[e];

    return pl_wakeup_agree(pl_past_record_of(&s->past, e), r) || is_among(s, f->done, r) ||
           is_among(s, f->wut, r);
}

/* The record of who is in sleep(E') as this one, or 0: asleep with one outcome a thread is not with
 * another. */
static uint32_t asleep(const struct pl_dpor *s, const struct pl_dpor_frame *f,
                       const struct pl_past_record *r)
{
    uint32_t done = f->done;

    for (uint32_t i = 0; i < f->n_sleep; i++) {
        if (pl_wakeup_agree(&s->past.records[s->sleepers[f->sleep + i]], r))
            return s->sleepers[f->sleep + i];
    }
    while (done != 0 && !pl_wakeup_agree(pl_dpor_record(s, done), r))
        done = s->pool.nodes[done].next;
    return done != 0 ? s->pool.nodes[done].record : 0;
}

static bool is_asleep(const struct pl_dpor *s, const struct pl_dpor_frame *f,
                      const struct pl_past_record *r)
{
    return asleep(s, f, r) != 0;
}

void pl_dpor_add_backtrack(struct pl_dpor *s, uint32_t e, uint32_t record)
{
    struct pl_dpor_frame *f = &s->frames[e];

    PL_ASSERT(e < s->past.n_events);
    if (!is_asleep(s, f, &s->past.records[record]))
        pl_wakeup_append(&s->pool, &f->wut, record);
}

void pl_dpor_go_first(struct pl_dpor *s, uint32_t e, uint32_t record)
{
    struct pl_dpor_frame *f = &s->frames[e];

    PL_ASSERT(e < s->past.n_events);
    if (!is_asleep(s, f, &s->past.records[record]))
        pl_wakeup_prepend(&s->pool, &f->wut, record);
}

/*
 * S8, S9: one of the initials of v, unless one is there already.  The one that sleeps, or 0.
 * One that may turn out to be impossible will do only if there is no other, or it has been had.
 */
static uint32_t add_initial(struct pl_dpor *s, uint32_t e, uint32_t n)
{
    const struct pl_past *p = &s->past;
    uint32_t chosen = 0, tried = 0;

    for (uint32_t i = 0; i < n; i++) {
        const struct pl_past_record *q = &p->records[s->v[i]];

        if (!pl_wakeup_initial(p, s->v, i))
            continue;
        uint32_t sleeper = asleep(s, &s->frames[e], q);
        bool sure = !pl_wakeup_is_tried(p, s->v[i]);

        if (sleeper != 0 || (sure && pl_dpor_in_backtrack(s, e, q)))
            return sleeper;
        if (sure && chosen == 0)
            chosen = s->v[i];
        else if (!sure && tried == 0)
            tried = s->v[i];
    }
    if (chosen == 0 && tried != 0 && !pl_dpor_in_backtrack(s, e, &p->records[tried]))
        chosen = tried;
    if (chosen != 0)
        pl_dpor_add_backtrack(s, e, chosen);
    return 0;
}

/* v up to event x, which need not be the second of the race: what leads there, and it. */
static uint32_t leading_to(struct pl_dpor *s, const struct pl_past_race *race, uint32_t e,
                           uint32_t x)
{
    const struct pl_past *p = &s->past;
    uint32_t n = 0;

    for (uint32_t i = e + 1; i <= x; i++) {
        if (!p->events[i].automatic && !p->events[i].idle && pl_past_leads(p, i, x) &&
            !pl_past_is_taken(p, race, i))
            s->v[n++] = pl_dpor_going_on(s, p->events[i].record);
    }
    return n;
}

/*
 * Who sleeps in the state before e does more there than it did behind e, where it was found to be
 * in a race: it begins to wait, say, and later on it only looks.  So it is in races there which
 * this execution does not have, and what has been explored behind it has them the one way round.
 */
static void add_woken(struct pl_dpor *s, const struct pl_past_race *race, uint32_t e,
                      uint32_t sleeper)
{
    const struct pl_past *p = &s->past;
    const uint16_t thread = p->records[sleeper].thread;
    uint32_t woken = e + 1;

    while (woken < p->n_events && (p->events[woken].thread != thread || p->events[woken].automatic))
        woken++;
    if (!p->records[sleeper].known || woken == p->n_events || p->events[woken].record == sleeper)
        return;
    for (uint32_t x = e + 1; x < p->n_events; x++) {
        if (p->events[x].thread == thread || p->events[x].automatic || p->events[x].idle ||
            pl_past_is_taken(p, race, x))
            continue;
        if (pl_past_depend(p, &p->records[sleeper], pl_past_record_of(p, x)) &&
            !pl_past_depend(p, pl_past_record_of(p, woken), pl_past_record_of(p, x)))
            add_initial(s, e, leading_to(s, race, e, x));
    }
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
 * C5: a thread that leads to the second operation: true if it is noted already.
 * Else it may be chosen, unless it sleeps: what begins with it has been explored,
 * but it need not be what the race begins with.
 */
static bool leads_there(const struct pl_dpor *s, uint32_t e, uint32_t record, uint32_t *chosen)
{
    const struct pl_past_record *r = &s->past.records[record];

    if (!pl_dpor_enabled(s, e, r->thread))
        return false;
    if (pl_dpor_in_backtrack(s, e, r))
        return true;
    if (*chosen == 0 && !is_asleep(s, &s->frames[e], r))
        *chosen = record;
    return false;
}

/* What the thread does next in the state before event e, other than e: an event, or the end. */
static uint32_t first_step(const struct pl_dpor *s, uint16_t thread, uint32_t e)
{
    const struct pl_past *p = &s->past;
    uint32_t i = first_of(s, thread, e + 1);

    while (i < p->n_events && (p->events[i].automatic || p->events[i].idle))
        i = first_of(s, thread, i + 1);
    return i;
}

/* C5 to C7: any that is enabled before e and leads to e', or all that are enabled. */
static void add_leading(struct pl_dpor *s, uint32_t e, const struct pl_past_race *race, uint32_t n)
{
    const struct pl_past *p = &s->past;
    const struct pl_dpor_frame *f = &s->frames[e];
    uint32_t last = s->v[n - 1], chosen = 0;
    /* What leads to the second operation is what its thread knows before it. */
    uint32_t before =
        race->pending ? p->threads[p->records[last].thread].last : p->events[race->second].before;

    if (f->n_enabled == 0)
        return; /* nobody else could go on */
    uint32_t first = first_step(s, p->records[last].thread, e);
    bool at_once = first == p->n_events || (!race->pending && first >= race->second);

    if (leads_there(s, e, at_once ? last : p->events[first].record, &chosen))
        return;
    for (uint32_t i = e + 1; before != PL_PAST_NONE && i <= before; i++) {
        if (pl_past_leads(p, i, before) && first_step(s, p->events[i].thread, e) == i &&
            leads_there(s, e, p->events[i].record, &chosen))
            return;
    }
    if (chosen != 0) {
        pl_dpor_add_backtrack(s, e, chosen);
        return;
    }
    for (uint32_t i = 0; i < f->n_enabled; i++) {
        struct pl_past_record r = {.thread = s->enabled[f->enabled + i]};

        if (!pl_dpor_in_backtrack(s, e, &r))
            pl_dpor_add_backtrack(s, e, pl_past_record(&s->past, &r));
    }
}

/* ---- races ---- */

/*
 * Whether what the thread could have done instead may as well come after the first event, before
 * which it would be the same: it is tried there.
 */
static bool makes_no_difference(const struct pl_dpor *s, const struct pl_past_race *race,
                                uint32_t instead)
{
    const struct pl_past *p = &s->past;

    return race->instead && race->n == 1 && p->records[instead].op.way == PL_WAY_NORMAL &&
           !pl_past_depend(p, &p->records[instead], pl_past_record_of(p, race->taken[0]));
}

/* O4 to O7, S6 to S9, C4 to C7. */
static void reverse(struct pl_dpor *s, const struct pl_past_race *race)
{
    uint32_t e = pl_past_first(race);

    if (s->guide != NULL && !s->guide->race(s->guided, s, race))
        return;
    uint32_t n = pl_dpor_notdep(s, race, e), sleeper = 0;

    PL_ASSERT(s->variant != PL_DPOR_SLEEPLESS);
    if (makes_no_difference(s, race, s->v[n - 1]))
        return;
    if (s->variant == PL_DPOR_OPTIMAL) {
        if (!insert(s, e, s->v, &n))
            insert_with_look(s, race, e, n);
    } else if (s->variant == PL_DPOR_SOURCE)
        sleeper = add_initial(s, e, n);
    else
        add_leading(s, e, race, n);
    if (sleeper != 0)
        add_woken(s, race, e, sleeper);
}

void pl_dpor_look_back(struct pl_dpor *s)
{
    struct pl_past *p = &s->past;

    for (uint32_t e = s->replay.n; e < p->n_events; e++) {
        if (p->events[e].options[0] != 0)
            pl_dpor_outcome_explore(s, e);
    }
    pl_dpor_list(s);
    for (uint32_t i = 0; i < p->n_races; i++)
        reverse(s, &p->races[i]);
}
