/* SPDX-License-Identifier: MIT */
/* See orders.h. */
#include "strategy/hapset/orders.h"

#include "base/arena.h"
#include "base/assert.h"
#include "base/hash.h"
#include "model/depend.h"

#include <stddef.h>

enum {
    GRANULE = 8,
    SLOTS = 64,        /* of the table at first: most executions are small */
    MOST_TOUCHES = 64, /* of a granule */
    NEWEST = 2,        /* of a statement that never make room */
    BACK = 1000,       /* events in which it is looked for what hides an order */
    EARLIER = 500,     /* events that a thread may stop before the one that is to come later */
};

void pl_orders_start(struct pl_orders *o, unsigned char *memory, uint64_t size)
{
    struct pl_arena arena = pl_arena_of(memory, size);
    uint64_t part = size / 4 / PL_ARENA_LINE * PL_ARENA_LINE;
    uint32_t slots = SLOTS;

    while (PL_TABLE_ROOM(SLOTS, 2 * slots) * sizeof(uint64_t) <= part)
        slots *= 2;
    pl_table_start_near(&o->by_granule,
                        PL_ARENA_TAKE(&arena, uint64_t, PL_TABLE_ROOM(SLOTS, slots)), SLOTS, slots);
    o->cells_max = (uint32_t)(part / sizeof(struct pl_orders_cell));
    o->cells = PL_ARENA_TAKE(&arena, struct pl_orders_cell, o->cells_max);
    o->touches_max = (uint32_t)(part / sizeof(struct pl_orders_touch));
    o->touches = PL_ARENA_TAKE(&arena, struct pl_orders_touch, o->touches_max);
    o->needs_max = (uint32_t)(part / (sizeof(uint32_t) + 1));
    o->needs = PL_ARENA_TAKE(&arena, uint32_t, o->needs_max);
    o->held = PL_ARENA_TAKE(&arena, uint8_t, o->needs_max);
    PL_ASSERT(o->held != NULL);
}

/* ---- what an event needs ---- */

/* 1: it takes the lock; -1: it gives it back; 0: neither.  An initialisation is none here. */
static int turn_of(const struct pl_operation *op, uint64_t *lock)
{
    uint64_t taken = pl_depend_taken_lock(op), given = pl_depend_given_lock(op);

    *lock = taken != 0 ? taken : given;
    if (*lock == 0 || pl_operation_is(op->kind, PL_ROLE_INITIALISES))
        return 0;
    return taken != 0 ? 1 : -1;
}

static uint32_t last_of(const struct pl_past *p, uint32_t tid)
{
    uint16_t thread = tid < PL_THREADS_MAX ? p->by_tid[tid] : UINT16_MAX;

    return thread != UINT16_MAX ? p->threads[thread].last : PL_PAST_NONE;
}

void pl_orders_note(struct pl_orders *o, const struct pl_past *p, const struct pl_operation *op)
{
    uint32_t e, at = p->n_events - 1, before = p->events[at].before;
    uint64_t lock;

    PL_ASSERT(p->n_events > 0 && (before == PL_PAST_NONE || before < at));
    if (at >= o->needs_max)
        return;
    if (pl_operation_is(op->kind, PL_ROLE_BEGINS))
        e = p->birth[op->tid];
    else if (pl_depend_joins(op))
        e = last_of(p, op->aux);
    else
        e = pl_past_waker(p, op);
    PL_ASSERT(e == PL_PAST_NONE || e < at); /* what made it possible came before it */
    o->needs[at] = e == PL_PAST_NONE ? 0 : e + 1;
    int held = (before != PL_PAST_NONE ? o->held[before] : 0) + turn_of(op, &lock);

    o->held[at] = (uint8_t)(held < 0 ? 0 : held > UINT8_MAX ? UINT8_MAX : held);
}

/* ---- pairs ---- */

static struct pl_orders_cell *cell_of(struct pl_orders *o, uint64_t granule)
{
    uint64_t hash = pl_hash_near(granule);

    PL_TABLE_EACH(i, &o->by_granule, hash)
    {
        if (o->cells[i].granule == granule)
            return &o->cells[i];
    }
    if (o->n_cells == o->cells_max || !pl_table_add(&o->by_granule, hash, o->n_cells))
        return NULL;
    o->cells[o->n_cells] = (struct pl_orders_cell){.granule = granule};
    return &o->cells[o->n_cells++];
}

static void forget(struct pl_orders *o)
{
    pl_table_clear(&o->by_granule);
    o->n_cells = o->n_touches = 1; /* 0 is nothing */
}

struct finding {
    struct pl_orders *o;
    const struct pl_past *p;
    const struct pl_predecessors_event *events;
    void (*tell)(void *to, uint32_t y, uint32_t x);
    void *to;
};

static bool is_alike(const struct finding *f, const struct pl_orders_touch *a,
                     const struct pl_orders_touch *b)
{
    return f->events[a->event].statement == f->events[b->event].statement &&
           a->offset == b->offset && a->size == b->size;
}

/* Where the list leads to one that is alike, but neither the first of these nor of the newest. */
static uint32_t *find_between(const struct finding *f, struct pl_orders_cell *cell,
                              const struct pl_orders_touch *like)
{
    struct pl_orders_touch *touches = f->o->touches;
    uint32_t *place = &cell->first, earliest = UINT32_MAX;
    unsigned alike = 0;

    for (uint32_t i = cell->first; i != 0; i = touches[i].next) {
        if (is_alike(f, &touches[i], like) && touches[i].first < earliest)
            earliest = touches[i].first;
    }
    for (; *place != 0; place = &touches[*place].next) {
        if (is_alike(f, &touches[*place], like) && ++alike > NEWEST &&
            touches[*place].first != earliest)
            return place;
    }
    return NULL;
}

/*
 * Which of the touches makes room for one more.  Where many threads do the same, the first of them
 * matters, since what comes before that comes before all of them, and so do the newest; one between
 * them goes.  Where each does something else the oldest does.
 */
static uint32_t make_room(const struct finding *f, struct pl_orders_cell *cell,
                          const struct pl_orders_touch *me)
{
    struct pl_orders_touch *touches = f->o->touches;
    uint32_t *place = find_between(f, cell, me), *last = &cell->first, found;

    for (uint32_t i = cell->first; i != 0 && place == NULL; i = touches[i].next)
        place = find_between(f, cell, &touches[i]);
    while (touches[*last].next != 0)
        last = &touches[*last].next;
    place = place != NULL ? place : last;
    found = *place;
    *place = touches[found].next;
    return found;
}

/* Tell of all that conflict; an earlier event of the same statement and thread makes room. */
static uint32_t look(const struct finding *f, struct pl_orders_cell *cell,
                     struct pl_orders_touch *me)
{
    uint32_t *place = &cell->first, found = 0;
    const struct pl_predecessors_event *e = &f->events[me->event];
    unsigned n = 0;

    for (; *place != 0; n++) {
        uint32_t i = *place;
        struct pl_orders_touch *t = &f->o->touches[i];
        const struct pl_predecessors_event *other = &f->events[t->event];

        if (other->tid != e->tid &&
            pl_depend_touch(t->offset, t->size, t->effect, me->offset, me->size, me->effect)) {
            PL_ASSERT(t->event < me->event && t->first <= t->event);
            f->tell(f->to, t->event, me->event);
        }
        if (other->tid == e->tid && is_alike(f, t, me)) {
            me->first = t->first;
            *place = t->next;
            found = i;
        } else {
            place = &t->next;
        }
    }
    return found == 0 && n >= MOST_TOUCHES ? make_room(f, cell, me) : found;
}

static bool put(const struct finding *f, uint32_t e, const struct pl_predecessors_touch *touch)
{
    struct pl_orders *o = f->o;
    uint64_t end = touch->addr + touch->size;

    for (uint64_t at = touch->addr; at < end;) {
        uint64_t room = GRANULE - at % GRANULE, size = end - at < room ? end - at : room;
        struct pl_orders_cell *cell = cell_of(o, at / GRANULE);
        struct pl_orders_touch me = {.event = e,
                                     .first = e,
                                     .effect = touch->effect,
                                     .offset = (uint8_t)(at % GRANULE),
                                     .size = (uint8_t)size};

        if (cell == NULL)
            return false;
        uint32_t place = look(f, cell, &me);

        if (place == 0 && o->n_touches == o->touches_max)
            return false;
        if (place == 0)
            place = o->n_touches++;
        me.next = cell->first;
        o->touches[place] = me;
        cell->first = place;
        at += size;
    }
    return true;
}

void pl_orders_find(struct pl_orders *o, const struct pl_past *p,
                    const struct pl_predecessors_event *events, uint32_t n,
                    void (*tell)(void *to, uint32_t y, uint32_t x), void *to)
{
    const struct finding f = {o, p, events, tell, to};

    PL_ASSERT(n <= p->n_events);
    forget(o);
    for (uint32_t e = 0; e < n; e++) {
        if (!put(&f, e, &events[e].touches[0]) || !put(&f, e, &events[e].touches[1]))
            return;
    }
}

static bool conflicts(const struct pl_predecessors_event *events, const struct pl_orders_touch *a,
                      const struct pl_orders_touch *b)
{
    return events[a->event].tid != events[b->event].tid &&
           pl_depend_touch(a->offset, a->size, a->effect, b->offset, b->size, b->effect);
}

/* The first and the last of the events in conflict with those of the touch, or its own. */
static void find_range(const struct pl_orders *o, const struct pl_predecessors_event *events,
                       uint32_t list, const struct pl_orders_touch *me, uint32_t *first,
                       uint32_t *last)
{
    PL_ASSERT(me->first <= me->event);
    *first = me->first;
    *last = me->event;
    for (uint32_t i = list; i != 0; i = o->touches[i].next) {
        const struct pl_orders_touch *t = &o->touches[i];

        if (!conflicts(events, me, t))
            continue;
        *first = t->first < *first ? t->first : *first;
        *last = t->event > *last ? t->event : *last;
    }
}

void pl_orders_ends(const struct pl_orders *o, const struct pl_predecessors_event *events,
                    void (*tell)(void *to, uint32_t y, uint32_t x, bool first), void *to)
{
    for (uint32_t c = 1; c < o->n_cells; c++) {
        for (uint32_t i = o->cells[c].first; i != 0; i = o->touches[i].next) {
            const struct pl_orders_touch *me = &o->touches[i];
            uint32_t first, last;

            find_range(o, events, o->cells[c].first, me, &first, &last);
            if (first < me->first)
                tell(to, first, me->first, true);
            if (last > me->event)
                tell(to, me->event, last, false);
        }
    }
}

/* ---- whether and where ---- */

static void take(struct pl_orders *o, uint64_t lock, uint32_t e)
{
    for (uint32_t i = 0; i < o->n_locks; i++) {
        if (o->locks[i].lock == lock)
            return; /* later ones come first */
    }
    if (o->n_locks < PL_ORDERS_LOCKS)
        o->locks[o->n_locks++] = (struct pl_orders_lock){lock, e};
}

/* The events of a thread up to e lead to x. */
static void reach(struct pl_orders *o, const struct pl_past *p, uint32_t e)
{
    uint16_t thread = p->events[e].thread;

    if (o->until[thread] > e)
        return;
    PL_ASSERT(e < p->n_events && o->n_reached <= p->n_threads);
    if (o->until[thread] == 0)
        o->reached[o->n_reached++] = thread;
    o->until[thread] = e + 1;
    o->next[thread] = e;
}

/* Whether the thread has more locks after event e than after the one before. */
static bool may_take(const struct pl_orders *o, uint32_t before, uint32_t e)
{
    return o->held[e] == UINT8_MAX || o->held[e] > (before != PL_PAST_NONE ? o->held[before] : 0);
}

/* Event e leads to x: so does what made it possible. */
static void follow(struct pl_orders *o, const struct pl_past *p, uint32_t e)
{
    uint32_t before = p->events[e].before;
    uint64_t lock;

    if (may_take(o, before, e) && turn_of(&pl_past_record_of(p, e)->op, &lock) > 0)
        take(o, lock, e);
    o->next[p->events[e].thread] = before;
    PL_ASSERT(o->needs[e] <= e); /* going back, and so this ends */
    if (o->needs[e] != 0)
        reach(o, p, o->needs[e] - 1);
}

/* The latest of the events that lead to x and have not been followed; PL_PAST_NONE: none is left.
 */
static uint32_t latest(const struct pl_orders *o)
{
    uint32_t found = PL_PAST_NONE;

    for (uint32_t i = 0; i < o->n_reached; i++) {
        uint32_t e = o->next[o->reached[i]];

        if (e != PL_PAST_NONE && (found == PL_PAST_NONE || e > found))
            found = e;
    }
    return found;
}

bool pl_orders_possible(struct pl_orders *o, const struct pl_past *p, uint32_t y, uint32_t x)
{
    uint32_t low = y > EARLIER ? y - EARLIER : 0;

    PL_ASSERT(y < x && x < p->n_events && p->events[y].thread != p->events[x].thread);
    for (uint32_t i = 0; i < p->n_threads; i++)
        o->until[i] = 0;
    o->n_locks = o->n_reached = 0;
    o->floor = low;
    reach(o, p, x);
    for (uint32_t e = x; e != PL_PAST_NONE && e >= low; e = latest(o)) {
        if (p->events[e].thread == p->events[y].thread) {
            o->floor = e + 1;
            PL_ASSERT(o->floor <= x);
            return e < y; /* everything before it happens before x, too */
        }
        follow(o, p, e);
    }
    return true;
}

static bool is_needed(const struct pl_orders *o, uint64_t lock, uint32_t e)
{
    for (uint32_t i = 0; i < o->n_locks; i++) {
        if (o->locks[i].lock == lock)
            return o->locks[i].event > e;
    }
    return o->n_locks == PL_ORDERS_LOCKS;
}

uint32_t pl_orders_obstacle(const struct pl_orders *o, const struct pl_past *p, uint32_t e)
{
    uint64_t released[PL_ORDERS_LOCKS], lock;
    uint32_t i = p->events[e].before;
    unsigned n = 0;

    for (; i != PL_PAST_NONE && o->held[i] > 0; i = p->events[i].before) {
        int turn = turn_of(&pl_past_record_of(p, i)->op, &lock);
        unsigned k = 0;

        while (turn != 0 && k < n && released[k] != lock)
            k++;
        if (turn < 0 && k == n && n < PL_ORDERS_LOCKS)
            released[n++] = lock;
        if (turn > 0 && k < n)
            released[k] = 0; /* taken again before that: another section */
        else if (turn > 0 && is_needed(o, lock, e))
            return i;
    }
    return PL_PAST_NONE;
}

/* ---- what is hidden ---- */

static bool meet(const struct pl_predecessors_event *a, const struct pl_predecessors_event *b)
{
    return pl_predecessors_relation(a, b) != PL_PREDECESSORS_APART;
}

/* Locks that the thread takes from event `first` up to event `last`, both its own. */
static unsigned taken_between(const struct pl_past *p, uint32_t first, uint32_t last,
                              uint64_t *locks)
{
    unsigned n = 0;

    for (uint32_t e = last; e != PL_PAST_NONE && e >= first; e = p->events[e].before) {
        uint64_t lock;

        if (turn_of(&pl_past_record_of(p, e)->op, &lock) > 0 && n < PL_ORDERS_LOCKS)
            locks[n++] = lock;
    }
    return n;
}

/* Whether the thread has one of the locks after event e, its own. */
static bool holds(const struct pl_orders *o, const struct pl_past *p, uint32_t e,
                  const uint64_t *locks, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        for (uint32_t k = e; k != PL_PAST_NONE && o->held[k] > 0; k = p->events[k].before) {
            uint64_t lock;
            int turn = turn_of(&pl_past_record_of(p, k)->op, &lock);

            if (turn > 0 && lock == locks[i])
                return true;
            if (turn < 0 && lock == locks[i])
                break;
        }
    }
    return false;
}

bool pl_orders_hidden(const struct pl_orders *o, const struct pl_past *p,
                      const struct pl_predecessors_event *events, uint32_t stop, uint32_t y,
                      uint32_t x)
{
    uint64_t locks[PL_ORDERS_LOCKS];
    unsigned n;

    PL_ASSERT(stop <= y && y < x && p->events[stop].thread == p->events[y].thread);
    for (uint32_t e = y; e > stop;) {
        e = p->events[e].before;
        PL_ASSERT(e != PL_PAST_NONE);
        if (meet(&events[e], &events[y]))
            return true;
    }
    n = taken_between(p, stop, y, locks);
    if (n == 0 || !holds(o, p, x, locks, n))
        return false;
    for (uint32_t e = x + 1; e < p->n_events && e < x + BACK; e++) {
        if (p->events[e].thread != p->events[x].thread)
            continue;
        if (meet(&events[e], &events[x]))
            return true;
        if (!holds(o, p, e, locks, n))
            return false;
    }
    return false;
}
