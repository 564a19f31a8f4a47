/* SPDX-License-Identifier: MIT */
/* See past.h. */
#include "strategy/dpor/past.h"

#include "base/hash.h"
#include "model/depend.h"

enum { GRANULE = 8 };

/* ---- memory ---- */

static void *take(unsigned char **memory, uint64_t *left, uint64_t size)
{
    unsigned char *p = *memory;

    size = (size + 63) & ~UINT64_C(63);
    *memory += size;
    *left -= size;
    return p;
}

void pl_past_start(struct pl_past *p, unsigned char *memory, uint64_t size)
{
    uint64_t left = size, part = size / 16;

    p->chains = 1;
    while (p->chains * 2 * sizeof(uint32_t) <= part / 4)
        p->chains *= 2;
    p->record_chains = take(&memory, &left, p->chains * sizeof(uint32_t));
    p->cell_chains = take(&memory, &left, p->chains * sizeof(uint32_t));
    p->records_max = (uint32_t)(4 * part / (sizeof(struct pl_past_record) + 2 * sizeof(uint32_t)));
    p->records = take(&memory, &left, p->records_max * sizeof(struct pl_past_record));
    p->record_next = take(&memory, &left, p->records_max * sizeof(uint32_t));
    p->record_after = take(&memory, &left, p->records_max * sizeof(uint32_t));
    p->events_max = (uint32_t)(2 * part / sizeof(struct pl_past_event));
    p->events = take(&memory, &left, p->events_max * sizeof(struct pl_past_event));

    p->links_max = (uint32_t)(2 * part / sizeof(struct pl_past_link));
    p->links = take(&memory, &left, p->links_max * sizeof(struct pl_past_link));
    p->cells_max = (uint32_t)(2 * part / sizeof(struct pl_past_cell));
    p->cells = take(&memory, &left, p->cells_max * sizeof(struct pl_past_cell));
    p->races_max = (uint32_t)(part / sizeof(struct pl_past_race));
    p->races = take(&memory, &left, p->races_max * sizeof(struct pl_past_race));
    p->clocks_max = (uint32_t)(left / sizeof(uint32_t));
    p->clocks = take(&memory, &left, p->clocks_max * sizeof(uint32_t) / 64 * 64);
    pl_past_clear(p);
}

void pl_past_clear(struct pl_past *p)
{
    p->n_events = p->n_links = p->n_clocks = p->n_races = p->n_pending = 0;
    p->n_records = p->n_cells = 1; /* 0 is nothing */
    p->n_threads = 0;
    p->record_after[0] = 0;
    p->full = p->inexact = false;
    for (uint32_t i = 0; i < p->chains; i++)
        p->record_chains[i] = p->cell_chains[i] = 0;
    for (uint32_t i = 0; i < PL_THREADS_MAX * 2; i++)
        p->thread_chains[i] = 0;
    for (uint32_t i = 0; i < PL_THREADS_MAX; i++) {
        p->by_tid[i] = UINT16_MAX;
        p->birth[i] = PL_PAST_NONE;
    }
}

/* ---- threads ---- */

static uint16_t find_thread(struct pl_past *p, uint64_t name)
{
    uint32_t at = (uint32_t)(pl_hash_mix(name) % (PL_THREADS_MAX * 2));

    while (p->thread_chains[at] != 0) {
        if (p->threads[p->thread_chains[at] - 1].name == name)
            return (uint16_t)(p->thread_chains[at] - 1);
        at = (at + 1) % (PL_THREADS_MAX * 2);
    }
    if (p->n_threads == PL_THREADS_MAX) {
        p->full = true;
        return 0;
    }
    p->threads[p->n_threads] =
        (struct pl_past_thread){.name = name, .last = PL_PAST_NONE, .cancelled = PL_PAST_NONE};
    p->thread_chains[at] = (uint16_t)(p->n_threads + 1);
    return p->n_threads++;
}

uint16_t pl_past_thread(struct pl_past *p, const struct pl_operation *op)
{
    uint16_t known = p->by_tid[op->tid];

    if (known != UINT16_MAX && p->threads[known].name == op->name)
        return known;
    return p->by_tid[op->tid] = find_thread(p, op->name);
}

/* The thread with this number in the execution, UINT16_MAX when it has not been seen. */
static uint16_t known_thread(const struct pl_past *p, uint32_t tid)
{
    return tid < PL_THREADS_MAX ? p->by_tid[tid] : UINT16_MAX;
}

/* ---- records ---- */

static uint32_t kept_aux(const struct pl_operation *op)
{
    return pl_operation_object(op->kind) == PL_OBJECT_THREAD ? op->aux : 0;
}

/* Leave out what does not matter for what the operation depends on. */
static void simplify(struct pl_past_record *r)
{
    struct pl_operation *op = &r->op;

    op->pc = op->wake = 0;
    op->waker = 0;
    op->noted = pl_depend_initialised(op);
    op->aux = kept_aux(op);
}

static bool same_record(const struct pl_past_record *a, const struct pl_past_record *b)
{
    const struct pl_operation *x = &a->op, *y = &b->op;

    return x->addr == y->addr && x->ordinal == y->ordinal && a->thread == b->thread &&
           x->kind == y->kind && x->way == y->way && x->effect == y->effect && x->size == y->size &&
           x->aux == y->aux && x->other == y->other && a->ends == b->ends && a->known == b->known &&
           a->outcome[0] == b->outcome[0] && a->outcome[1] == b->outcome[1];
}

uint32_t pl_past_record(struct pl_past *p, const struct pl_past_record *contents)
{
    struct pl_past_record r = *contents;
    uint64_t h;

    simplify(&r);
    h = pl_hash_quick(r.op.addr ^ (uint64_t)r.op.kind << 56,
                      r.op.ordinal ^ (uint64_t)r.thread << 32 ^ (uint64_t)r.op.effect << 48);
    h = pl_hash_quick(h, r.outcome[0] ^ (uint64_t)r.outcome[1] << 16 ^ (uint64_t)r.ends << 32 ^
                             (uint64_t)r.op.way << 40);
    uint32_t *chain = &p->record_chains[h & (p->chains - 1)];

    for (uint32_t i = *chain; i != 0; i = p->record_next[i]) {
        if (same_record(&p->records[i], &r))
            return i;
    }
    if (p->n_records == p->records_max) {
        p->full = true;
        return 0;
    }
    p->records[p->n_records] = r;
    p->record_after[p->n_records] = 0;
    p->record_next[p->n_records] = *chain;
    *chain = p->n_records;
    return p->n_records++;
}

bool pl_past_depend(const struct pl_past_record *a, const struct pl_past_record *b)
{
    return a->thread == b->thread || a->ends || b->ends || !a->known || !b->known ||
           pl_depend(&a->op, &b->op);
}

/* ---- clocks ---- */

/* Add what happened before event e, and e itself. */
static void join(struct pl_past *p, uint32_t *clock, uint32_t e)
{
    const struct pl_past_event *from = &p->events[e];
    const uint32_t *other = &p->clocks[from->clock];

    for (unsigned i = 0; i < from->n_clock; i++) {
        if (other[i] > clock[i])
            clock[i] = other[i];
    }
}

static inline bool covers(const struct pl_past *p, const uint32_t *clock, uint32_t e)
{
    return clock[p->events[e].thread] > e;
}

/* ---- objects ---- */

static uint32_t cell_of(struct pl_past *p, uint64_t granule)
{
    uint32_t *chain = &p->cell_chains[pl_hash_near(granule) & (p->chains - 1)];

    for (uint32_t i = *chain; i != 0; i = p->cells[i].next) {
        if (p->cells[i].granule == granule)
            return i;
    }
    if (p->n_cells == p->cells_max) {
        p->full = true;
        return 0;
    }
    p->cells[p->n_cells] = (struct pl_past_cell){
        .granule = granule,
        .next = *chain,
        .last = {PL_PAST_NONE, PL_PAST_NONE, PL_PAST_NONE, PL_PAST_NONE},
    };
    *chain = p->n_cells;
    return p->n_cells++;
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

struct touches {
    const struct pl_operation *op;
    uint64_t at, end;
    uint8_t effect;
    unsigned stage;
};

/* The touches of an operation one by one; false when there are no more. */
static bool next_touch(struct touches *i, struct touch *t)
{
    while (i->at >= i->end) {
        uint64_t size = 1;

        switch (i->stage++) {
        case 0:
            i->at = pl_depend_object(i->op);
            i->effect = i->op->effect;
            size = pl_depend_size(i->op);
            break;
        case 1:
            i->at = i->op->other;
            i->effect = i->op->other_effect;
            break;
        case 2: /* whoever waits for input may wait for any output */
            i->at = pl_depend_is_output(i->op) ? PL_DEPEND_FILES : 0;
            i->effect = PL_EFFECT_ADD;
            break;
        default:
            return false;
        }
        i->end = i->at == 0 || i->effect == PL_EFFECT_NONE ? 0 : i->at + size;
    }
    t->granule = i->at / GRANULE;
    t->offset = (uint8_t)(i->at % GRANULE);
    uint64_t room = GRANULE - i->at % GRANULE;

    t->size = (uint8_t)(i->end - i->at < room ? i->end - i->at : room);
    t->effect = i->effect;
    i->at += t->size;
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

/* ---- locks ---- */

/* Whether the operation takes, or gives back, the lock in this granule. */
static bool takes(const struct pl_past_record *r, uint64_t granule)
{
    return pl_depend_taken_lock(&r->op) / GRANULE == granule;
}

static bool gives(const struct pl_past_record *r, uint64_t granule)
{
    return pl_depend_given_lock(&r->op) / GRANULE == granule;
}

/* The granule of what an operation waits for. */
static uint64_t waits_for(const struct pl_operation *op)
{
    return pl_depend_awaited(op) / GRANULE;
}

/* Whether an operation that waits does so for a semaphore, or for a lock together with others. */
static bool awaits_semaphore(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_TAKES);
}

static bool awaits_share(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_SHARES);
}

bool pl_past_is_taken(const struct pl_past *p, const struct pl_past_race *r, uint32_t e)
{
    for (unsigned i = 0; i < r->n; i++) {
        if (pl_past_before(p, r->taken[i], e))
            return true;
    }
    return false;
}

uint32_t pl_past_first(const struct pl_past_race *r)
{
    uint32_t first = r->taken[0];

    for (unsigned i = 1; i < r->n; i++)
        first = r->taken[i] < first ? r->taken[i] : first;
    return first;
}

/* The last place of a cell with this effect that is before event `until`. */
static uint32_t last_until(const struct pl_past *p, uint32_t cell, unsigned effect, uint32_t until)
{
    uint32_t i = p->cells[cell].last[effect];

    while (i != PL_PAST_NONE && p->links[i].event >= until)
        i = p->links[i].before;
    return i;
}

/*
 * Somebody who would still hold the lock at event `until` when the events of the race are taken
 * away: his acquisition, or PL_PAST_NONE.
 */
static uint32_t holder_without(struct pl_past *p, const struct pl_past_race *r, uint32_t cell,
                               unsigned effect, uint32_t until)
{
    uint32_t add = last_until(p, cell, PL_EFFECT_ADD, until);
    uint32_t write = last_until(p, cell, PL_EFFECT_WRITE, until);
    uint64_t granule = p->cells[cell].granule;
    uint32_t first = pl_past_first(r), found = PL_PAST_NONE;

    if (effect == PL_EFFECT_ADD)
        add = PL_PAST_NONE; /* readers do not wait for readers */
    for (unsigned i = 0; i < p->n_threads; i++)
        p->released[i] = PL_PAST_NONE;
    while (found == PL_PAST_NONE && (add != PL_PAST_NONE || write != PL_PAST_NONE)) {
        bool reader = write == PL_PAST_NONE ||
                      (add != PL_PAST_NONE && p->links[add].event > p->links[write].event);
        const struct pl_past_link *l = &p->links[reader ? add : write];
        const struct pl_past_record *by = pl_past_record_of(p, l->event);

        if (gives(by, granule)) {
            p->released[by->thread] = l->event;
            if (!reader && l->event < first)
                break; /* nobody holds it from before that */
        } else if (takes(by, granule) && !pl_past_is_taken(p, r, l->event)) {
            uint32_t end = p->released[by->thread];

            if (end == PL_PAST_NONE || pl_past_is_taken(p, r, end))
                found = l->event;
        }
        if (reader)
            add = l->before;
        else
            write = l->before;
    }
    return found;
}

/* How many a semaphore would hold: `value` and what taking events away changes. */
static int64_t value_without(const struct pl_past *p, const struct pl_past_race *r, uint32_t cell,
                             int64_t value, uint32_t until)
{
    uint32_t i = last_until(p, cell, PL_EFFECT_ADD, until);

    for (; i != PL_PAST_NONE && p->links[i].event >= r->taken[0]; i = p->links[i].before)
        value -= pl_past_is_taken(p, r, p->links[i].event);
    i = last_until(p, cell, PL_EFFECT_WRITE, until);
    for (; i != PL_PAST_NONE && p->links[i].event >= r->taken[0]; i = p->links[i].before)
        value += pl_past_is_taken(p, r, p->links[i].event);
    return value;
}

/* Somebody who would hold what the operation waits for. */
static uint32_t holder_of(struct pl_past *p, const struct pl_past_race *r, uint32_t cell,
                          const struct pl_operation *op, uint32_t until)
{
    return holder_without(p, r, cell, awaits_share(op) ? PL_EFFECT_ADD : PL_EFFECT_WRITE, until);
}

/*
 * Extend what is taken away until the operation, which came at event `until`, could be performed;
 * false when nothing helps, or only what its thread has seen the consequences of: `known`.
 */
static bool enable(struct pl_past *p, struct pl_past_race *r, const struct pl_operation *op,
                   const uint32_t *known, uint32_t until)
{
    if (!pl_depend_waits(op))
        return true;
    uint32_t cell = cell_of(p, waits_for(op));

    if (awaits_semaphore(op))
        return value_without(p, r, cell, op->aux, until) > 0;
    for (;;) {
        uint32_t holder = holder_of(p, r, cell, op, until);

        if (holder == PL_PAST_NONE)
            return true;
        if (covers(p, known, holder))
            return false;
        if (r->n == PL_PAST_TAKEN) {
            p->inexact = true;
            return false;
        }
        r->taken[r->n++] = holder;
    }
}

/* ---- races ---- */

/* An operation on its way into the past. */
struct arrival {
    const struct pl_operation *op;
    uint32_t number; /* of the event or pending operation */
    bool pending;
    uint16_t thread;
    bool waits;
    bool quiet;            /* it races with nobody */
    uint32_t *clock;       /* what happened before it */
    const uint32_t *known; /* what its thread knew, and what made it possible */
    uint32_t *covered;     /* that and what is reached by reversing races found already */
};

static void add_race(struct pl_past *p, const struct pl_past_race *r)
{
    if (p->n_races < p->races_max)
        p->races[p->n_races++] = *r;
    else
        p->full = true;
}

static void found(struct pl_past *p, const struct arrival *a, uint32_t e)
{
    struct pl_past_race r = {.second = a->number, .pending = a->pending, .n = 1, .taken = {e}};

    if (a->quiet || p->events[e].automatic || !enable(p, &r, a->op, a->known, p->n_events))
        return;
    add_race(p, &r);
    join(p, a->covered, e);
}

/* Whether the operation could have been performed before e: a wait cannot before a release. */
static bool may_precede(struct pl_past *p, const struct arrival *a, uint64_t granule, uint32_t e)
{
    return !a->waits || waits_for(a->op) != granule || awaits_semaphore(a->op) ||
           !gives(pl_past_record_of(p, e), granule);
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
 * is left.  Without that, a loop around a condition that nobody signals would look at every round.
 */
static void scan_touch(struct pl_past *p, const struct arrival *a, const struct touch *t)
{
    const struct pl_past_cell *c = &p->cells[cell_of(p, t->granule)];
    uint64_t left = c->threads & ~thread_alone(a->thread);
    uint32_t lists[4] = {PL_PAST_NONE, c->last[PL_EFFECT_READ], c->last[PL_EFFECT_ADD],
                         c->last[PL_EFFECT_WRITE]};
    uint32_t i;

    if (t->effect == PL_EFFECT_READ)
        lists[PL_EFFECT_READ] = PL_PAST_NONE;
    while (left != 0 && (i = latest(p, lists)) != PL_PAST_NONE) {
        const struct pl_past_link *l = &p->links[i];
        bool covered = a->covered[l->thread] > l->event;

        if (covered) {
            left &= ~thread_alone(l->thread);
            lists[l->effect] = l->other;
        }
        if (!conflict(l, t))
            continue;
        bool possible = may_precede(p, a, c->granule, l->event);

        if (l->thread != a->thread && !covered && possible)
            found(p, a, l->event);
        if (a->clock[l->thread] <= l->event)
            join(p, a->clock, l->event);
        /* What came before a write happened before it; but look for the acquisition. */
        if (l->effect == PL_EFFECT_WRITE && includes(l, t) && (!a->waits || covered || possible))
            break;
    }
}

static bool cancels(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_CANCELS);
}

static void scan_all(struct pl_past *p, const struct arrival *a)
{
    struct touches i = {.op = a->op};
    struct touch t;

    while (next_touch(&i, &t) && !p->full)
        scan_touch(p, a, &t);
    /* A cancellation may change whatever its target does. */
    uint32_t cancelled = p->threads[a->thread].cancelled;

    if (cancelled != PL_PAST_NONE && !covers(p, a->clock, cancelled)) {
        found(p, a, cancelled);
        join(p, a->clock, cancelled);
    }
    uint16_t target = known_thread(p, a->op->aux);

    if (cancels(a->op) && target != UINT16_MAX) {
        uint32_t last = p->threads[target].last;

        while (last != PL_PAST_NONE && p->events[last].automatic)
            last = p->events[last].before;
        if (last != PL_PAST_NONE && !covers(p, a->clock, last)) {
            found(p, a, last);
            join(p, a->clock, last);
        }
    }
}

/* ---- arrivals ---- */

/* Whoever leaves a barrier does so after all have arrived: those up to event `last`. */
static void join_arrivals(struct pl_past *p, const struct pl_operation *op, uint16_t thread,
                          uint32_t last, uint32_t *clock)
{
    const struct pl_past_cell *c = &p->cells[cell_of(p, op->addr / GRANULE)];
    uint32_t i = c->last[c->last[PL_EFFECT_ADD] != PL_PAST_NONE ? PL_EFFECT_ADD : PL_EFFECT_WRITE];

    for (; i != PL_PAST_NONE; i = p->links[i].before) {
        uint32_t e = p->links[i].event;

        if (e > last || p->events[e].thread == thread)
            continue;
        if (covers(p, clock, e))
            break; /* of an earlier round */
        join(p, clock, e);
    }
}

uint32_t pl_past_waker(const struct pl_past *p, const struct pl_operation *op)
{
    uint16_t waker = known_thread(p, op->waker);

    if (waker == UINT16_MAX)
        return PL_PAST_NONE;
    uint32_t e = p->threads[waker].last;

    while (e != PL_PAST_NONE && pl_past_record_of(p, e)->op.ordinal > op->wake)
        e = p->events[e].before;
    return e;
}

/* What a thread that was woken would have done if its time had run out instead. */
struct pl_past_record pl_past_unwoken(const struct pl_past_record *woken)
{
    struct pl_past_record r = *woken;

    r.op.way = PL_WAY_TIMEOUT;
    r.op.effect = pl_operation_is(r.op.kind, PL_ROLE_REGAINS) ? PL_EFFECT_ADD : PL_EFFECT_WRITE;
    for (unsigned i = 0; i < PL_PAST_OUTCOMES; i++)
        r.outcome[i] = 0;
    r.ends = false;
    return r;
}

/* A thread that was woken could have gone on before that. */
static void add_unwoken(struct pl_past *p, const struct pl_operation *op, uint32_t number,
                        const uint32_t *known)
{
    struct pl_past_record woken = {.op = *op};
    const struct pl_past_record alone = pl_past_unwoken(&woken);
    struct pl_past_race r = {
        .second = number, .instead = true, .n = 1, .taken = {pl_past_waker(p, op)}};

    if (r.taken[0] != PL_PAST_NONE && enable(p, &r, &alone.op, known, p->n_events))
        add_race(p, &r);
}

static bool leaves_barrier(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_OF_SERIAL);
}

/* What made the operation possible, beyond what the thread did before. */
static void join_causes(struct pl_past *p, const struct pl_operation *op, uint16_t thread,
                        uint32_t *clock)
{
    uint16_t joined = known_thread(p, op->aux);

    if (pl_operation_is(op->kind, PL_ROLE_BEGINS) && p->birth[op->tid] < p->n_events)
        join(p, clock, p->birth[op->tid]);
    if (pl_depend_joins(op) && op->way == PL_WAY_NORMAL && joined != UINT16_MAX &&
        p->threads[joined].last != PL_PAST_NONE)
        join(p, clock, p->threads[joined].last);
    if (leaves_barrier(op) && op->waker == PL_TID_NONE &&
        p->threads[thread].last != PL_PAST_NONE) /* it was itself the last */
        join_arrivals(p, op, thread, p->threads[thread].last, clock);
    uint32_t e = pl_past_waker(p, op);

    if (e == PL_PAST_NONE)
        return;
    if (leaves_barrier(op))
        join_arrivals(p, op, thread, e, clock);
    join(p, clock, e);
}

/* The place, or one before it, that is not the thread's. */
static uint32_t other_than(const struct pl_past *p, uint32_t place, uint16_t thread)
{
    bool own = place != PL_PAST_NONE && p->links[place].thread == thread;

    return own ? p->links[place].other : place;
}

static void add_links(struct pl_past *p, const struct pl_operation *op, struct pl_past_event *e)
{
    struct touches i = {.op = op};
    struct touch t;

    while (next_touch(&i, &t)) {
        uint32_t cell = cell_of(p, t.granule), before = p->cells[cell].last[t.effect];

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

/* Room for a clock on top, and for two more that are only needed meanwhile. */
static bool make_clocks(struct pl_past *p, uint16_t thread, struct arrival *a)
{
    uint32_t n = p->n_threads, last = p->threads[thread].last;

    if (p->n_clocks + 3 * n > p->clocks_max) {
        p->full = true;
        return false;
    }
    a->clock = &p->clocks[p->n_clocks];
    a->covered = a->clock + n;
    a->known = a->covered + n;
    for (uint32_t i = 0; i < n; i++)
        a->clock[i] = 0;
    if (last != PL_PAST_NONE)
        join(p, a->clock, last);
    return true;
}

/* What is known before anything is added that it depends on. */
static void keep(struct arrival *a, uint32_t n)
{
    uint32_t *known = a->covered + n;

    for (uint32_t i = 0; i < n; i++)
        a->covered[i] = known[i] = a->clock[i];
}

/* The end of an initialisation is told from its beginning. */
static uint8_t way_of(const struct pl_operation *op)
{
    return pl_depend_initialised(op) ? PL_WAY_BLOCKED : op->way;
}

static struct pl_past_record record_for(const struct pl_operation *op, uint16_t thread)
{
    struct pl_past_record r = {.op = *op, .thread = thread, .known = true};

    r.op.way = way_of(op);
    return r;
}

/* Whether pl_past_record() would find this one for the operation. */
static bool is_record_for(const struct pl_past_record *r, const struct pl_operation *op,
                          uint16_t thread)
{
    const struct pl_operation *x = &r->op;

    return x->addr == op->addr && x->ordinal == op->ordinal && r->thread == thread &&
           x->kind == op->kind && x->way == way_of(op) && x->effect == op->effect &&
           x->size == op->size && x->other == op->other && x->aux == kept_aux(op) && !r->ends &&
           r->known && r->outcome[0] == 0 && r->outcome[1] == 0;
}

/* As a rule it is the one that came next when the thread was here before. */
static uint32_t recall_record(struct pl_past *p, const struct pl_operation *op, uint16_t thread)
{
    uint32_t last = p->threads[thread].last;
    uint32_t *after = &p->record_after[last != PL_PAST_NONE ? p->events[last].record : 0];

    if (*after == 0 || !is_record_for(&p->records[*after], op, thread)) {
        const struct pl_past_record r = record_for(op, thread);

        *after = pl_past_record(p, &r);
    }
    return *after;
}

/* Most threads go on, and do what they did before. */
static void fetch_ahead(const struct pl_past_record *r)
{
    __builtin_prefetch(r);
    __builtin_prefetch((const char *)(r + 1) - 1);
}

void pl_past_push(struct pl_past *p, const struct pl_operation *op, bool automatic)
{
    uint16_t thread = pl_past_thread(p, op);
    struct arrival a = {.op = op, .number = p->n_events, .thread = thread};

    if (p->full || p->n_events == p->events_max || !make_clocks(p, thread, &a)) {
        p->full = true;
        return;
    }
    struct pl_past_event *e = &p->events[p->n_events];

    *e = (struct pl_past_event){
        .record = recall_record(p, op, thread),
        .clock = p->n_clocks,
        .link = p->n_links,
        .before = p->threads[thread].last,
        .thread = thread,
        .n_clock = p->n_threads,
        .automatic = automatic,
    };

    if (op->leaves)
        add_unwoken(p, op, p->n_events, a.clock);
    join_causes(p, op, thread, a.clock);
    if (op->effect != PL_EFFECT_NONE || op->other != 0 ||
        p->threads[thread].cancelled != PL_PAST_NONE || cancels(op)) {
        keep(&a, p->n_threads);
        a.waits = pl_depend_waits(op) && !op->noted;
        a.quiet = automatic;
        scan_all(p, &a);
        add_links(p, op, e);
    }
    a.clock[thread] = p->n_events + 1;
    p->n_clocks += p->n_threads;
    if (pl_operation_is(op->kind, PL_ROLE_CREATES) && op->aux < PL_THREADS_MAX)
        p->birth[op->aux] = p->n_events;
    if (cancels(op) && known_thread(p, op->aux) != UINT16_MAX)
        p->threads[known_thread(p, op->aux)].cancelled = p->n_events;
    p->threads[thread].last = p->n_events;
    p->n_events++;
    fetch_ahead(&p->records[p->record_after[e->record]]);
}

void pl_past_pending(struct pl_past *p, const struct pl_operation *op)
{
    uint16_t thread = pl_past_thread(p, op);
    struct arrival a = {.number = p->n_pending, .pending = true, .thread = thread, .waits = true};
    struct pl_past_record *r = &p->pending[p->n_pending];

    *r = record_for(op, thread);
    r->op.effect = (uint8_t)pl_operation_effect(op->kind);
    r->op.other_effect = op->other != 0 ? PL_EFFECT_WRITE : PL_EFFECT_NONE;
    if (pl_operation_is(op->kind, PL_ROLE_REGAINS))
        r->op.effect = PL_EFFECT_NONE;

    a.op = &r->op;
    if (p->full || !make_clocks(p, thread, &a))
        return;
    p->n_pending++;
    join_causes(p, op, thread, a.clock);
    keep(&a, p->n_threads);
    scan_all(p, &a);
}

/* The last event of a thread before event e that was no matter of course. */
uint32_t pl_past_last(const struct pl_past *p, uint16_t thread, uint32_t e)
{
    uint32_t last = p->threads[thread].last;

    while (last != PL_PAST_NONE && (last >= e || p->events[last].automatic ||
                                    pl_depend_nothing(&pl_past_record_of(p, last)->op)))
        last = p->events[last].before;
    return last;
}

/* Whether something other than the end happened after e. */
static bool is_followed(const struct pl_past *p, uint32_t e, uint32_t ending)
{
    for (uint16_t i = 0; i < p->n_threads; i++) {
        uint32_t last = pl_past_last(p, i, ending);

        if (last != PL_PAST_NONE && last > e && pl_past_before(p, e, last))
            return true;
    }
    return false;
}

void pl_past_ended(struct pl_past *p, uint32_t e, const struct pl_operation *const *next,
                   unsigned n)
{
    struct pl_past_record r = *pl_past_record_of(p, e);
    struct arrival a = {0};

    r.ends = true;
    p->events[e].record = pl_past_record(p, &r);
    if (!make_clocks(p, p->events[e].thread, &a))
        return;
    uint32_t *clock = a.clock;

    /* Whoever ended it may have joined threads since, which leaves them nothing to do. */
    join(p, clock, e);
    join(p, clock, p->n_events - 1);
    for (unsigned i = 0; i < n; i++) {
        uint32_t member = pl_past_last(p, pl_past_thread(p, next[i]), e);

        if (!next[i]->circle)
            continue;
        if (member != PL_PAST_NONE)
            join(p, clock, member);
        member = pl_past_waker(p, next[i]); /* it might not wait for the lock yet */
        if (member != PL_PAST_NONE && member < e)
            join(p, clock, member);
    }
    for (uint16_t i = 0; i < p->n_threads; i++) {
        uint32_t last = pl_past_last(p, i, e);

        const struct pl_past_race race = {.second = e, .n = 1, .taken = {last}};

        if (last != PL_PAST_NONE && !covers(p, clock, last) && !is_followed(p, last, e))
            add_race(p, &race);
    }
}

bool pl_past_could_precede(struct pl_past *p, const struct pl_operation *op, uint32_t e)
{
    struct pl_past_race r = {.n = 1, .taken = {e}};
    struct arrival a = {0};

    if (pl_past_waker(p, op) == e)
        return false;

    return make_clocks(p, pl_past_thread(p, op), &a) && !covers(p, a.clock, e) &&
           enable(p, &r, op, a.clock, p->n_events) && r.n == 1;
}

bool pl_past_could_depart(struct pl_past *p, uint32_t first, uint32_t second)
{
    const struct pl_operation *op = &pl_past_record_of(p, second)->op;
    uint32_t waker = pl_past_waker(p, op);
    const struct pl_past_race r = {.second = second, .n = 1, .taken = {first}};

    if (p->events[second].automatic ||
        op->way != PL_WAY_NORMAL || /* what it does without that is not known */
        leaves_barrier(op) ||       /* it needs more than one arrival */
        (waker != PL_PAST_NONE && pl_past_before(p, first, waker)))
        return false;
    if (!pl_depend_waits(op))
        return true;
    uint32_t cell = cell_of(p, waits_for(op));

    return awaits_semaphore(op) ? value_without(p, &r, cell, op->aux, second) > 0
                                : holder_of(p, &r, cell, op, second) == PL_PAST_NONE;
}

/* All of them, or those with an event that is gone. */
static void forget_races(struct pl_past *p, uint32_t n)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; p->recalls && i < p->n_races; i++) {
        if (!p->races[i].pending && p->races[i].second < n)
            p->races[kept++] = p->races[i];
    }
    p->n_races = kept;
}

void pl_past_pop(struct pl_past *p, uint32_t n)
{
    while (p->n_events > n) {
        const struct pl_past_event *e = &p->events[--p->n_events];
        const struct pl_operation *op = &p->records[e->record].op;

        while (p->n_links > e->link) {
            const struct pl_past_link *l = &p->links[--p->n_links];

            p->cells[l->cell].last[l->effect] = l->before;
        }
        p->threads[e->thread].last = e->before;
        p->n_clocks = e->clock;
        if (cancels(op)) {
            for (unsigned i = 0; i < p->n_threads; i++) {
                if (p->threads[i].cancelled == p->n_events)
                    p->threads[i].cancelled = PL_PAST_NONE;
            }
        }
    }
    p->n_pending = 0;
    forget_races(p, n);
}
