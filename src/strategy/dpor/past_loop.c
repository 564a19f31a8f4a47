/* SPDX-License-Identifier: MIT */
/*
 * Rounds of loops that were for nothing, and what ends them.
 *
 * Behind a round for nothing a thread is parked until something that it has looked at is written.
 * That makes it an operation which waits, although the program has none: its next look is possible
 * as soon as anybody has written one of the things.  If one event has done so, the look happens
 * after that.  If several have, it needs none of them in particular, only what happened before
 * each: whichever is taken away, another one is left that lets the thread go on.  What the look and
 * those behind it find is a matter of what they read, as for any other.
 */
#include "strategy/dpor/past_parts.h"

enum { CAUSES = 32, LOOKS = 64 };

/* ---- what lets a thread go on ---- */

static bool overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
    uint64_t a_last = (a + a_size - (a_size > 0)) / PL_PAST_GRANULE;
    uint64_t b_last = (b + b_size - (b_size > 0)) / PL_PAST_GRANULE;

    return a != 0 && a / PL_PAST_GRANULE <= b_last && b / PL_PAST_GRANULE <= a_last;
}

/* Whether an event writes something in the granules that the operation looks at. */
static bool writes(const struct pl_operation *op, const struct pl_operation *look)
{
    return (op->effect > PL_EFFECT_READ && overlap(op->addr, op->size, look->addr, look->size)) ||
           (op->other_effect > PL_EFFECT_READ && overlap(op->other, 1, look->addr, look->size));
}

/* What a thread looked at in a round behind which it was parked. */
struct looks {
    uint16_t thread;
    bool anything;
    unsigned n;
    const struct pl_operation *at[LOOKS];
};

/* `round`: the number, plus 1, of the thread's operation that it began with; it was over before
 * event `until`. */
static void find_looks(const struct pl_past *p, uint16_t thread, uint32_t round, uint32_t until,
                       struct looks *l)
{
    l->thread = thread;
    l->anything = round == PL_ROUND_OF_ANYTHING;
    l->n = 0;
    for (uint32_t e = until; !l->anything && e-- > 0;) {
        const struct pl_operation *look = &pl_past_record_of(p, e)->op;

        if (p->events[e].thread != thread)
            continue;
        if (look->ordinal + 1 < round)
            break;
        if (l->n == LOOKS)
            l->anything = true;
        else if (pl_operation_ends_rounds(look->kind))
            l->at[l->n++] = look;
    }
}

/* Whether event w may have let the thread go on. */
static bool lets_go(const struct pl_past *p, const struct looks *l, uint32_t w)
{
    const struct pl_past_event *event = &p->events[w];

    if (event->thread == l->thread || event->idle)
        return false;
    if (l->anything)
        return !event->automatic;
    for (unsigned i = 0; i < l->n; i++) {
        if (writes(&p->records[event->record].op, l->at[i]))
            return true;
    }
    return false;
}

/* The event that the operation was told to be enabled by. */
static uint32_t told(const struct pl_past *p, const struct pl_operation *op)
{
    uint16_t waker = pl_past_known_thread(p, op->waker);

    if (waker == UINT16_MAX)
        return PL_PAST_NONE;
    uint32_t e = p->threads[waker].last;

    while (e != PL_PAST_NONE && pl_past_record_of(p, e)->op.ordinal > op->wake)
        e = p->events[e].before;
    return e;
}

uint32_t pl_past_waker(const struct pl_past *p, const struct pl_operation *op)
{
    uint32_t e = told(p, op);
    uint16_t thread = pl_past_known_thread(p, op->tid);

    if (e == PL_PAST_NONE || op->round == 0 || thread == UINT16_MAX)
        return e;
    struct looks l;

    find_looks(p, thread, op->round, e, &l);
    for (uint32_t w = e + 1; w < p->n_events; w++) {
        if (lets_go(p, &l, w))
            return PL_PAST_NONE;
    }
    return e;
}

/* What event w knows of a thread. */
static uint32_t known_of(const struct pl_past *p, uint32_t w, unsigned thread)
{
    const struct pl_past_event *e = &p->events[w];

    return thread < e->n_clock ? p->clocks[e->clock + thread] : 0;
}

/* Add what happened before each of the events. */
static void join_common(const struct pl_past *p, const uint32_t *events, uint32_t n,
                        uint32_t *clock)
{
    for (unsigned i = 0; i < p->n_threads; i++) {
        uint32_t all = known_of(p, events[0], i);

        for (uint32_t k = 1; k < n; k++) {
            if (known_of(p, events[k], i) < all)
                all = known_of(p, events[k], i);
        }
        if (all > clock[i])
            clock[i] = all;
    }
}

uint32_t pl_past_loop_first(const struct pl_past *p, const struct pl_operation *op)
{
    uint32_t e = op->round != 0 ? told(p, op) : PL_PAST_NONE;

    return e != PL_PAST_NONE ? e + 1 : 0;
}

void pl_past_loop_join(const struct pl_past *p, const struct pl_operation *op, uint16_t thread,
                       uint32_t *clock)
{
    uint32_t causes[CAUSES], n = 0, e = told(p, op);

    if (e == PL_PAST_NONE)
        return;
    struct looks l;

    find_looks(p, thread, op->round, e, &l);
    causes[n++] = e;
    for (uint32_t w = e + 1; w < p->n_events; w++) {
        if (!lets_go(p, &l, w))
            continue;
        if (n == CAUSES)
            return; /* then nothing is said of what it needs */
        causes[n++] = w;
    }
    join_common(p, causes, n, clock);
}

bool pl_past_leads(const struct pl_past *p, uint32_t e, uint32_t b)
{
    if (pl_past_before(p, e, b))
        return true;
    for (uint32_t a = b + 1; a-- > e + 1;) {
        const struct pl_past_event *event = &p->events[a];

        if (event->let_go == 0 || !pl_past_before(p, a, b))
            continue;
        struct looks l;

        find_looks(p, event->thread, event->round_before, event->let_go - 1, &l);
        for (uint32_t w = event->let_go - 1; w < a; w++) {
            if (w >= e && (w + 1 == event->let_go || lets_go(p, &l, w)) && pl_past_leads(p, e, w))
                return true;
        }
    }
    return false;
}

/* ---- rounds ---- */

/* The first event of the iteration that began with the operation; in *look the one that looked. */
static uint32_t find_iteration(const struct pl_past *p, uint16_t thread, uint32_t from,
                               uint32_t *look)
{
    uint32_t first = PL_PAST_NONE;

    *look = PL_PAST_NONE;
    for (uint32_t e = p->threads[thread].last;
         e != PL_PAST_NONE && pl_past_record_of(p, e)->op.ordinal >= from;
         e = p->events[e].before) {
        first = e;
        if (p->events[e].automatic && p->events[e].n_links == 0)
            continue;
        if (*look != PL_PAST_NONE)
            return PL_PAST_NONE;
        *look = e;
    }
    return *look != PL_PAST_NONE ? first : PL_PAST_NONE;
}

/*
 * The thread, and everybody else meanwhile, has only looked.  A round of which the beginning is
 * older than what is new here is not noted: the rest of it is no round.
 */
static void note_round(struct pl_past *p, uint16_t thread, uint32_t from, uint32_t since)
{
    uint32_t first = PL_PAST_NONE;

    for (uint32_t e = p->threads[thread].last;
         e != PL_PAST_NONE && pl_past_record_of(p, e)->op.ordinal >= from;
         e = p->events[e].before) {
        if (e < since)
            return;
        first = e;
    }
    for (uint32_t e = first; e < p->n_events; e++) {
        if (!p->events[e].automatic && !pl_depend_looks(&pl_past_record_of(p, e)->op))
            return;
    }
    for (uint32_t e = first; e < p->n_events; e++) {
        if (p->events[e].thread == thread) {
            p->events[e].round = first + 1;
            p->events[e].until = p->n_events;
        }
    }
}

uint32_t pl_past_idle(struct pl_past *p, uint16_t thread, uint32_t from, uint32_t since)
{
    uint32_t look, first = find_iteration(p, thread, from, &look);

    if (first == PL_PAST_NONE) {
        note_round(p, thread, from, since);
        return PL_PAST_NONE;
    }
    if (look < since || p->events[look].automatic ||
        !pl_depend_looks(&pl_past_record_of(p, look)->op) || p->events[look].options[0] != 0)
        return PL_PAST_NONE;
    for (uint32_t e = look + 1; e < p->n_events; e++) {
        if (!p->events[e].automatic || p->events[e].n_links > 0) {
            note_round(p, thread, from, since);
            return PL_PAST_NONE;
        }
    }
    const struct pl_past_event *event = &p->events[look];

    PL_ASSERT(event->link + event->n_links == p->n_links);
    for (uint32_t i = p->n_links; i > event->link; i--) {
        const struct pl_past_link *l = &p->links[i - 1];

        p->cells[l->cell].last[l->effect] = l->before;
    }
    p->threads[thread].last = p->events[first].before;
    for (uint32_t e = first; e < p->n_events; e++)
        p->events[e].idle = p->events[e].thread == thread;
    return look;
}
