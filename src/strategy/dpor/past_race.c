/* SPDX-License-Identifier: MIT */
/*
 * Who touched the same before: the events on each granule of memory and each object, and the races
 * that an arriving operation has with them.
 *
 * The events on a granule are in one list for each effect, the latest first.  A race is between
 * events of different threads that depend on each other, with nothing between them that
 * forces their order: what is covered by a later one is no race.
 */
#include "base/hash.h"
#include "strategy/dpor/past_parts.h"

/* ---- objects ---- */

__attribute__((cold)) static void index_all(struct pl_past *p)
{
    pl_past_index_clear(&p->by_granule);
    for (uint32_t i = 1; i < p->n_cells; i++)
        pl_past_index_add(&p->by_granule, pl_hash_near(p->cells[i].granule), i);
}

uint32_t pl_past_race_cell(struct pl_past *p, uint64_t granule)
{
    uint64_t hash = pl_hash_near(granule);

    PL_TABLE_EACH(i, &p->by_granule.table, hash)
    {
        if (p->cells[i].granule == granule)
            return i;
    }
    if (p->by_granule.moving) {
        index_all(p);
        return pl_past_race_cell(p, granule);
    }
    if (p->n_cells == p->cells_max) {
        p->full = true;
        return 0;
    }
    uint32_t found = p->n_cells;

    p->cells[found] = (struct pl_past_cell){
        .granule = granule,
        .last = {PL_PAST_NONE, PL_PAST_NONE, PL_PAST_NONE, PL_PAST_NONE},
    };
    p->n_cells++;
    pl_past_index_add(&p->by_granule, hash, found);
    return found;
}

/* As struct pl_past_cell has them: the thread with those it cannot be told from; it alone, or none.
 */
static uint64_t threads_with(uint16_t thread)
{
    return UINT64_C(1) << (thread < 63 ? thread : 63);
}

static uint64_t thread_alone(uint16_t thread)
{
    return thread < 63 ? UINT64_C(1) << thread : 0;
}

/* Part of what an operation touches, within one granule. */
struct touch {
    uint64_t granule;
    uint8_t effect, offset, size;
};

/* What an operation touches, in this order. */
enum { FIRST_OBJECT, SECOND_OBJECT, ALL_FILES };

struct touches {
    const struct pl_operation *op;
    uint64_t at, end;
    uint8_t effect;
    uint8_t next; /* which of the following comes next */
};

/* Begin with the next of them; false when there is none. */
static bool next_object(struct touches *i)
{
    const struct pl_operation *op = i->op;
    uint64_t size = 1;

    if (i->next == FIRST_OBJECT) {
        i->at = pl_depend_object(op);
        i->effect = op->effect;
        size = pl_depend_size(op);
    } else if (i->next == SECOND_OBJECT && op->other != 0) {
        i->at = op->other;
        i->effect = op->other_effect;
    } else if (i->next <= ALL_FILES && pl_depend_is_output(op) && op->effect != PL_EFFECT_NONE) {
        i->at = PL_DEPEND_FILES; /* whoever waits for input may wait for any output */
        i->effect = PL_EFFECT_ADD;
        i->next = ALL_FILES;
    } else {
        return false;
    }
    i->next++;
    i->end = i->at == 0 || i->effect == PL_EFFECT_NONE ? 0 : i->at + size;
    return true;
}

/* The touches of an operation one by one; false when there are no more. */
static bool next_touch(struct touches *i, struct touch *t)
{
    while (i->at >= i->end) {
        if (!next_object(i))
            return false;
    }
    t->granule = i->at / PL_PAST_GRANULE;
    t->offset = (uint8_t)(i->at % PL_PAST_GRANULE);
    uint64_t room = PL_PAST_GRANULE - i->at % PL_PAST_GRANULE;

    t->size = (uint8_t)(i->end - i->at < room ? i->end - i->at : room);
    t->effect = i->effect;
    i->at += t->size;
    PL_ASSERT(t->size > 0 && t->offset + t->size <= PL_PAST_GRANULE);
    return true;
}

static bool includes(const struct pl_past_link *l, const struct touch *t)
{
    return l->offset <= t->offset && l->offset + l->size >= t->offset + t->size;
}

static bool conflict(const struct pl_past_link *l, const struct touch *t)
{
    return pl_depend_touch(l->offset, l->size, l->effect, t->offset, t->size, t->effect);
}

/* The place, or one before it, that is not the thread's. */
static uint32_t other_than(const struct pl_past *p, uint32_t place, uint16_t thread)
{
    bool own = place != PL_PAST_NONE && p->links[place].thread == thread;

    return own ? p->links[place].other : place;
}

void pl_past_race_link(struct pl_past *p, const struct pl_operation *op, struct pl_past_event *e)
{
    struct touches i = {.op = op};
    struct touch t;

    while (next_touch(&i, &t)) {
        uint32_t cell = pl_past_race_cell(p, t.granule), before = p->cells[cell].last[t.effect];

        PL_ASSERT(before == PL_PAST_NONE || p->links[before].event <= p->n_events);
        if (p->n_links == p->links_max || e->n_links == UINT16_MAX || p->full) {
            p->full = true;
            return;
        }
        p->links[p->n_links] = (struct pl_past_link){
            .event = p->n_events,
            .cell = cell,
            .before = before,
            .other = other_than(p, before, e->thread),
            .thread = e->thread,
            .effect = t.effect,
            .offset = t.offset,
            .size = t.size,
        };
        p->cells[cell].last[t.effect] = p->n_links++;
        p->cells[cell].threads |= threads_with(e->thread);
        e->n_links++;
    }
}

/* ---- races ---- */

/* Whether nothing is taken away from the thread of the second operation. */
static bool is_between_threads(const struct pl_past *p, const struct pl_past_race *r)
{
    uint16_t thread = r->pending ? p->pending[r->second].thread : p->events[r->second].thread;

    for (unsigned i = 0; i < r->n; i++) {
        if (p->events[r->taken[i]].thread == thread)
            return false;
    }
    return true;
}

void pl_past_race_add(struct pl_past *p, const struct pl_past_race *r)
{
    PL_ASSERT(r->n > 0 && r->n <= PL_PAST_TAKEN && r->taken[0] < p->n_events);
    PL_CHECK(is_between_threads(p, r));
    if (p->n_races < p->races_max)
        p->races[p->n_races++] = *r;
    else
        p->full = true;
}

/*
 * Only the kernel knows whether it could have come earlier; of a signal, who has sent it is known.
 * If it cannot change places with the last operation that it depends on, it may with an earlier
 * one, which then takes the last one with it: each is a race, and found to be possible or not by
 * trying.
 */
static bool is_tried(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_OUTSIDE) && pl_depend_waits(op) && !op->ready &&
           !pl_operation_is(op->kind, PL_ROLE_WOKEN);
}

bool pl_past_race_ends_without(const struct pl_past *p, const struct pl_past_race *r,
                               const struct pl_operation *op)
{
    uint16_t thread = pl_past_known_thread(p, op->aux);
    uint32_t last = thread != UINT16_MAX ? p->threads[thread].last : PL_PAST_NONE;

    return last != PL_PAST_NONE && !pl_past_is_taken(p, r, last);
}

/* Who has been cancelled, and found the thread ended that it joins, needs one of the two. */
static bool could_join(const struct pl_past *p, const struct pl_past_race *r,
                       const struct pl_past_arrival *a)
{
    uint32_t cancelled = p->threads[a->thread].sent[0];

    if (!pl_depend_finds_ended(a->op))
        return true;
    return pl_past_race_ends_without(p, r, a->op) ||
           (cancelled != PL_PAST_NONE && !pl_past_is_taken(p, r, cancelled));
}

static void found(struct pl_past *p, const struct pl_past_arrival *a, uint32_t e)
{
    struct pl_past_race r = {
        .second = a->number, .pending = a->pending, .instead = a->instead, .n = 1, .taken = {e}};
    uint32_t cancelled = p->threads[a->thread].sent[0];
    /* What was cancelled need not wait, unless the cancellation goes with e. */
    bool left =
        pl_past_is_left(a->op) && cancelled != PL_PAST_NONE && !pl_past_before(p, e, cancelled);

    PL_ASSERT(p->events[e].thread != a->thread && !pl_past_covers(p, a->covered, e));
    if (a->quiet || p->events[e].automatic || !could_join(p, &r, a) ||
        (!left && !pl_past_lock_enable(p, &r, a->op, a->known, p->n_events)))
        return;
    pl_past_race_add(p, &r);
    if (!is_tried(a->op))
        pl_past_join(p, a->covered, e);
}

/* The latest of the places in the lists, which it is taken out of; PL_PAST_NONE at their end. */
static uint32_t latest(const struct pl_past *p, uint32_t lists[4])
{
    unsigned from = 0;
    uint32_t place;

    for (unsigned effect = PL_EFFECT_READ; effect <= PL_EFFECT_WRITE; effect++) {
        if (lists[effect] != PL_PAST_NONE &&
            (lists[from] == PL_PAST_NONE ||
             p->links[lists[effect]].event > p->links[lists[from]].event))
            from = effect;
    }
    place = lists[from];
    if (place != PL_PAST_NONE)
        lists[from] = p->links[place].before;
    return place;
}

/*
 * Events on one granule, the latest first: what is covered by a later one is no race.  If an
 * event is covered, so is all that its thread did before; when that holds for all threads, nothing
 * is left.  Without that, a loop around a condition that nobody signals would look at every
 * iteration.
 */
static void scan_touch(struct pl_past *p, const struct pl_past_arrival *a, const struct touch *t)
{
    const struct pl_past_cell *c = &p->cells[pl_past_race_cell(p, t->granule)];
    uint64_t left = c->threads & ~thread_alone(a->thread);
    uint32_t lists[4] = {PL_PAST_NONE, c->last[PL_EFFECT_READ], c->last[PL_EFFECT_ADD],
                         c->last[PL_EFFECT_WRITE]};
    uint32_t i;

    if (t->effect == PL_EFFECT_READ)
        lists[PL_EFFECT_READ] = PL_PAST_NONE;
    while (left != 0 && (i = latest(p, lists)) != PL_PAST_NONE) {
        const struct pl_past_link *l = &p->links[i];
        bool covered = a->covered[l->thread] > l->event;

        PL_ASSERT(l->event < p->n_events && l->thread == p->events[l->event].thread);
        if (covered) {
            left &= ~thread_alone(l->thread);
            lists[l->effect] = l->other;
        }
        if (!conflict(l, t))
            continue;
        PL_CHECK(l->thread == a->thread || pl_depend(&pl_past_record_of(p, l->event)->op, a->op));
        bool possible = pl_past_lock_may_precede(p, a, c->granule, l->event);

        if (l->thread != a->thread && !covered && possible)
            found(p, a, l->event);
        if (a->clock[l->thread] <= l->event)
            pl_past_join(p, a->clock, l->event);
        /* What came before a write happened before it; but look for the acquisition. */
        if (l->effect == PL_EFFECT_WRITE && includes(l, t) && (!a->waits || covered || possible) &&
            !is_tried(a->op))
            break;
    }
}

/* An event that has nothing to do with what the operations touch: is it a race, and a cause? */
static void meet(struct pl_past *p, const struct pl_past_arrival *a, uint32_t e)
{
    if (e == PL_PAST_NONE || p->events[e].thread == a->thread || pl_past_covers(p, a->clock, e))
        return;
    if (!pl_past_covers(p, a->covered, e))
        found(p, a, e);
    pl_past_join(p, a->clock, e);
}

/* The last event of a thread that something depends on which has to do with everybody. */
static uint32_t last_touch(const struct pl_past *p, uint16_t thread, const struct pl_operation *op)
{
    uint32_t e = p->threads[thread].last;

    while (e != PL_PAST_NONE &&
           (p->events[e].automatic || (!p->total && !pl_depend(&pl_past_record_of(p, e)->op, op))))
        e = p->events[e].before;
    return e;
}

/* What others did last, the latest first: what is covered by a later one is no race. */
static void meet_all(struct pl_past *p, const struct pl_past_arrival *a)
{
    uint32_t latest_event;

    do {
        latest_event = PL_PAST_NONE;
        for (uint16_t i = 0; i < p->n_threads; i++) {
            uint32_t e = i != a->thread ? last_touch(p, i, a->op) : PL_PAST_NONE;

            if (e != PL_PAST_NONE && !pl_past_covers(p, a->clock, e) &&
                (latest_event == PL_PAST_NONE || e > latest_event))
                latest_event = e;
        }
        meet(p, a, latest_event);
    } while (latest_event != PL_PAST_NONE);
}

uint32_t pl_past_race_signal_before(const struct pl_past *p, uint32_t e)
{
    const struct pl_operation *op = &pl_past_record_of(p, e)->op;
    uint64_t queue = (op->other_effect == PL_EFFECT_WRITE ? op->other : op->addr) / PL_PAST_GRANULE;
    uint32_t i = p->events[e].link;

    while (i < p->events[e].link + p->events[e].n_links &&
           p->cells[p->links[i].cell].granule != queue)
        i++;
    if (i == p->events[e].link + p->events[e].n_links)
        return PL_PAST_NONE;
    for (i = p->links[i].before; i != PL_PAST_NONE; i = p->links[i].before) {
        const struct pl_operation *before = &pl_past_record_of(p, p->links[i].event)->op;

        if (pl_operation_is(before->kind, PL_ROLE_SIGNALS) && before->aux == op->aux)
            return p->links[i].event;
    }
    return PL_PAST_NONE;
}

/* The last signal sent to its thread that may come before it. */
static uint32_t heard(const struct pl_past *p, const struct pl_past_arrival *a)
{
    uint32_t e = p->threads[a->thread].sent[1];

    while (e != PL_PAST_NONE && !pl_past_covers(p, a->clock, e) &&
           !pl_depend_reaches(&pl_past_record_of(p, e)->op, a->op))
        e = pl_past_race_signal_before(p, e);
    return e;
}

/* The last event of a thread that what is sent to it makes another. */
static uint32_t last_reached(const struct pl_past *p, uint16_t thread,
                             const struct pl_operation *sent)
{
    uint32_t e = p->threads[thread].last;

    while (e != PL_PAST_NONE &&
           (p->events[e].automatic || !pl_depend_reaches(sent, &pl_past_record_of(p, e)->op)))
        e = p->events[e].before;
    return e;
}

/* What was sent to its thread. */
static void met_by(struct pl_past *p, const struct pl_past_arrival *a, uint32_t sent)
{
    if (sent == PL_PAST_NONE || pl_past_covers(p, a->clock, sent))
        return;
    found(p, a, sent);
    pl_past_join(p, a->clock, sent);
}

/*
 * Objects are looked at one by one.  Of the races since `first`, what was found on one object may
 * have happened before what was found on another: then it is none.
 */
static void drop_covered(struct pl_past *p, uint32_t first)
{
    uint32_t kept = first;

    for (uint32_t i = first; i < p->n_races; i++) {
        uint32_t e = p->races[i].taken[0], k = first;

        while (k < p->n_races &&
               (p->races[k].taken[0] == e || !pl_past_before(p, e, p->races[k].taken[0])))
            k++;
        if (k == p->n_races)
            p->races[kept++] = p->races[i];
    }
    p->n_races = kept;
}

void pl_past_race_find(struct pl_past *p, const struct pl_past_arrival *a)
{
    uint32_t first = p->n_races;
    struct touches i = {.op = a->op};
    struct touch t;

    while (next_touch(&i, &t) && !p->full)
        scan_touch(p, a, &t);
    if (!a->waits && !is_tried(a->op))
        drop_covered(p, first);
    meet(p, a, p->copied);
    if (p->total || pl_past_copies(a->op))
        meet_all(p, a);
    /* What is sent to a thread has to do with what that does. */
    if (a->op->cancellable)
        met_by(p, a, p->threads[a->thread].sent[0]);
    met_by(p, a, heard(p, a));
    uint16_t target = pl_past_known_thread(p, a->op->aux);

    if (pl_depend_cancels(a->op) && target != UINT16_MAX && target != a->thread) {
        uint32_t last = last_reached(p, target, a->op);

        if (last != PL_PAST_NONE && !pl_past_covers(p, a->clock, last)) {
            found(p, a, last);
            pl_past_join(p, a->clock, last);
        }
    }
}
