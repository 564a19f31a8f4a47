/* SPDX-License-Identifier: MIT */
/* See past.h. */
#include "strategy/dpor/past.h"

#include "base/hash.h"
#include "strategy/dpor/past_parts.h"

/* ---- memory ---- */

void pl_past_start(struct pl_past *p, unsigned char *memory, uint64_t size)
{
    struct pl_arena arena = pl_arena_of(memory, size);
    uint64_t part = size / 16;

    p->records_max = (uint32_t)(4 * part / (sizeof(struct pl_past_record) + 2 * sizeof(uint32_t)));
    p->records = PL_ARENA_TAKE(&arena, struct pl_past_record, p->records_max);
    p->record_after = PL_ARENA_TAKE(&arena, uint32_t, p->records_max);
    p->events_max = (uint32_t)(2 * part / sizeof(struct pl_past_event));
    p->events = PL_ARENA_TAKE(&arena, struct pl_past_event, p->events_max);
    p->links_max = (uint32_t)(2 * part / sizeof(struct pl_past_link));
    p->links = PL_ARENA_TAKE(&arena, struct pl_past_link, p->links_max);
    p->cells_max = (uint32_t)(2 * part / (sizeof(struct pl_past_cell) + sizeof(uint64_t)));
    p->cells = PL_ARENA_TAKE(&arena, struct pl_past_cell, p->cells_max);
    p->races_max = (uint32_t)(part / sizeof(struct pl_past_race));
    p->races = PL_ARENA_TAKE(&arena, struct pl_past_race, p->races_max);
    pl_past_index_start(&p->by_contents, &arena, p->records_max, false);
    pl_past_index_start(&p->by_granule, &arena, p->cells_max, true);
    pl_past_index_start(&p->by_name, &arena, PL_THREADS_MAX, false);
    p->clocks_max = (uint32_t)PL_ARENA_FITS(&arena, uint32_t);
    p->clocks = PL_ARENA_TAKE(&arena, uint32_t, p->clocks_max);
    PL_ASSERT(p->clocks != NULL && p->clocks_max > 0);
    pl_past_clear(p);
}

void pl_past_clear(struct pl_past *p)
{
    p->n_events = p->n_links = p->n_clocks = p->n_races = p->n_pending = 0;
    p->copied = PL_PAST_NONE;
    p->n_records = p->n_cells = 1; /* 0 is nothing */
    p->n_threads = 0;
    p->record_after[0] = 0;
    p->full = p->inexact = p->signalled = false;
    pl_past_index_clear(&p->by_contents);
    pl_past_index_clear(&p->by_granule);
    pl_past_index_clear(&p->by_name);
    for (uint32_t i = 0; i < PL_THREADS_MAX; i++) {
        p->by_tid[i] = UINT16_MAX;
        p->birth[i] = PL_PAST_NONE;
    }
}

/* ---- threads ---- */

static void index_thread(struct pl_past *p, uint16_t thread)
{
    pl_past_index_add(&p->by_name, pl_hash_mix(p->threads[thread].name), thread);
}

__attribute__((noinline)) static uint16_t find_thread(struct pl_past *p, uint64_t name)
{
    PL_TABLE_EACH(i, &p->by_name.table, pl_hash_mix(name))
    {
        if (p->threads[i].name == name)
            return (uint16_t)i;
    }
    if (p->by_name.moving) {
        pl_past_index_clear(&p->by_name);
        for (uint16_t i = 0; i < p->n_threads; i++)
            index_thread(p, i);
        return find_thread(p, name);
    }
    if (p->n_threads == PL_THREADS_MAX) {
        p->full = true;
        return 0;
    }
    uint16_t found = p->n_threads;

    p->threads[found] = (struct pl_past_thread){
        .name = name, .last = PL_PAST_NONE, .sent = {PL_PAST_NONE, PL_PAST_NONE}};
    p->n_threads++;
    index_thread(p, found);
    return found;
}

uint16_t pl_past_thread(struct pl_past *p, const struct pl_operation *op)
{
    PL_ASSERT(op->tid < PL_THREADS_MAX);
    uint16_t known = p->by_tid[op->tid];

    if (known != UINT16_MAX && p->threads[known].name == op->name)
        return known;
    return p->by_tid[op->tid] = find_thread(p, op->name);
}

/* ---- arrivals ---- */

/* Whoever leaves a barrier does so after all have arrived: those up to event `last`. */
static void join_arrivals(struct pl_past *p, const struct pl_operation *op, uint16_t thread,
                          uint32_t last, uint32_t *clock)
{
    const struct pl_past_cell *c = &p->cells[pl_past_race_cell(p, op->addr / PL_PAST_GRANULE)];
    uint32_t i = c->last[c->last[PL_EFFECT_ADD] != PL_PAST_NONE ? PL_EFFECT_ADD : PL_EFFECT_WRITE];

    for (; i != PL_PAST_NONE; i = p->links[i].before) {
        uint32_t e = p->links[i].event;

        if (e > last || p->events[e].thread == thread)
            continue;
        if (pl_past_covers(p, clock, e))
            break; /* of an earlier passage of the barrier */
        pl_past_join(p, clock, e);
    }
}

/* Where the thread came to the barrier that it leaves; it may have handled signals since. */
static uint32_t own_arrival(const struct pl_past *p, const struct pl_operation *op, uint16_t thread)
{
    uint32_t e = p->threads[thread].last;

    while (e != PL_PAST_NONE && (pl_past_record_of(p, e)->op.addr != op->addr ||
                                 pl_past_leaves_barrier(&pl_past_record_of(p, e)->op)))
        e = p->events[e].before;
    return e;
}

/*
 * Whether what a signal came before could have gone on without what the race takes away.  Of a wait
 * at a condition that is known: it could when the signal was sent, and by its time also where the
 * mutex was not free.
 */
static bool could_do_without(struct pl_past *p, struct pl_past_race *r,
                             const struct pl_operation *alone, const uint32_t *known)
{
    if (pl_past_covers(p, known, r->taken[0]))
        return false;
    return pl_operation_is(alone->kind, PL_ROLE_REGAINS) ||
           (pl_past_lock_enable(p, r, alone, known, p->n_events) &&
            (!pl_depend_joins(alone) || pl_past_race_ends_without(p, r, alone)) &&
            !pl_past_lock_needs_release(p, r, alone));
}

/* A thread that was woken, or got a signal, could have gone on before that. */
static void add_unwoken(struct pl_past *p, const struct pl_operation *op, uint32_t number,
                        const uint32_t *known)
{
    struct pl_past_record woken = {.op = *op};
    const struct pl_past_record alone = pl_past_unwoken(&woken);
    struct pl_past_race r = {
        .second = number, .instead = true, .n = 1, .taken = {pl_past_waker(p, op)}};

    if (r.taken[0] != PL_PAST_NONE &&
        (op->way == PL_WAY_SIGNAL ? could_do_without(p, &r, &alone.op, known)
                                  : pl_past_lock_enable(p, &r, &alone.op, known, p->n_events)))
        pl_past_race_add(p, &r);
}

/* The signal that was taken before the operation, which is announced again; or PL_PAST_NONE. */
static uint32_t taken_before(const struct pl_past *p, uint16_t thread,
                             const struct pl_operation *op)
{
    uint32_t e = p->threads[thread].last;

    while (e != PL_PAST_NONE &&
           (p->events[e].sender == 0 || pl_past_record_of(p, e)->op.came_before != op->kind))
        e = p->events[e].before;
    return e;
}

/*
 * A thread that waited to be woken has taken a signal meanwhile.  Whoever woke it need not have
 * waited for the signal to be sent: then it would have gone on before that.  Where the signal found
 * it woken this is known already.
 */
static void add_unsignalled(struct pl_past *p, const struct pl_past_arrival *a)
{
    uint32_t signal = taken_before(p, a->thread, a->op), waker = pl_past_waker(p, a->op);

    /* Of what only the kernel knows, it is found out by trying. */
    if (signal == PL_PAST_NONE ||
        (waker == PL_PAST_NONE &&
         !(pl_depend_waits(a->op) && pl_operation_is(a->op->kind, PL_ROLE_OUTSIDE))))
        return;
    const struct pl_past_record alone = pl_past_unwoken(pl_past_record_of(p, signal));
    struct pl_past_race r = {.second = a->number,
                             .instead = true,
                             .signal = signal + 1,
                             .n = 1,
                             .taken = {p->events[signal].sender - 1}};
    uint32_t before = p->events[signal].before;

    for (uint16_t i = 0; i < p->n_threads; i++)
        a->covered[i] = 0;
    if (before != PL_PAST_NONE)
        pl_past_join(p, a->covered, before);
    if (!pl_past_covers(p, a->covered, r.taken[0]) &&
        (waker == PL_PAST_NONE || !pl_past_is_taken(p, &r, waker)) &&
        pl_past_lock_enable(p, &r, &alone.op, a->covered, p->n_events) &&
        !pl_past_lock_needs_release(p, &r, &alone.op))
        pl_past_race_add(p, &r);
}

/* What made the operation possible, beyond what the thread did before. */
static void join_causes(struct pl_past *p, const struct pl_operation *op, uint16_t thread,
                        uint32_t *clock)
{
    uint16_t joined = pl_past_known_thread(p, op->aux);

    if (pl_operation_is(op->kind, PL_ROLE_BEGINS) && p->birth[op->tid] < p->n_events)
        pl_past_join(p, clock, p->birth[op->tid]);
    if (pl_depend_joins(op) && op->way == PL_WAY_NORMAL && joined != UINT16_MAX &&
        p->threads[joined].last != PL_PAST_NONE)
        pl_past_join(p, clock, p->threads[joined].last);
    if (pl_past_leaves_barrier(op) && op->waker == PL_TID_NONE) {
        uint32_t arrival = own_arrival(p, op, thread);

        if (arrival != PL_PAST_NONE) /* it was itself the last */
            join_arrivals(p, op, thread, arrival, clock);
    }
    if (op->round != 0) {
        pl_past_loop_join(p, op, thread, clock);
        return;
    }
    uint32_t e = pl_past_waker(p, op);

    if (e == PL_PAST_NONE)
        return;
    if (pl_past_leaves_barrier(op))
        join_arrivals(p, op, thread, e, clock);
    pl_past_join(p, clock, e);
}

/* Room for a clock on top, and for two more that are only needed meanwhile. */
static bool make_clocks(struct pl_past *p, uint16_t thread, struct pl_past_arrival *a)
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
        pl_past_join(p, a->clock, last);
    return true;
}

/* What is known before anything is added that it depends on. */
static void keep(struct pl_past_arrival *a, uint32_t n)
{
    uint32_t *known = a->covered + n;

    for (uint32_t i = 0; i < n; i++)
        a->covered[i] = known[i] = a->clock[i];
}

/*
 * Whether it waited, and what came was no more than a cancellation or a signal.  Who waits for a
 * signal could have had another one, which somebody else has taken since.
 */
static bool is_disturbed(const struct pl_operation *op)
{
    if (op->way == PL_WAY_SIGNAL)
        return op->came_before == PL_OP_SIGNAL_WAIT ||
               (!op->leaves && !pl_operation_is(op->came_before, PL_ROLES(REGAINS, WOKEN)));
    return pl_past_is_left(op) && op->waker != PL_TID_NONE;
}

/*
 * A thread that waited until it was cancelled, or got a signal, could have got what it waited for
 * before whoever did, also if that is the one who sends it: as if it were left waiting.
 */
static void add_undisturbed(struct pl_past *p, const struct pl_past_arrival *disturbed)
{
    struct pl_past_arrival a = *disturbed;
    const struct pl_past_record left = {.op = *a.op, .thread = a.thread};
    struct pl_past_record alone = pl_past_unwoken(&left);

    if (!pl_depend_waits(&alone.op) || alone.op.addr == 0)
        return;
    /* Only who takes a signal keeps another one from it. */
    alone.op.effect = a.op->way == PL_WAY_SIGNAL && alone.op.kind == PL_OP_SIGNAL_WAIT
                          ? PL_EFFECT_READ
                          : (uint8_t)pl_operation_effect(alone.op.kind);
    alone.op.cancellable = false;
    alone.op.deaf = UINT64_MAX;
    a.op = &alone.op;
    a.instead = a.waits = true;
    keep(&a, p->n_threads);
    pl_past_race_find(p, &a);
    make_clocks(p, a.thread, &a); /* as it was */
}

/* Whether the thread has taken the signal that event e sent. */
static bool has_had(const struct pl_past *p, uint16_t thread, uint32_t e)
{
    uint32_t i = p->threads[thread].last;

    while (i != PL_PAST_NONE && i > e && p->events[i].sender != e + 1)
        i = p->events[i].before;
    return i != PL_PAST_NONE && i > e;
}

/*
 * A thread that waited until it was cancelled had got a signal by then: it could have handled that
 * before the cancellation came, if that is not what led to the signal.
 */
static void add_signalled(struct pl_past *p, const struct pl_past_arrival *a)
{
    uint32_t cancelled = pl_past_waker(p, a->op), e = p->threads[a->thread].sent[1];

    if (cancelled == PL_PAST_NONE || pl_past_covers(p, a->clock, cancelled))
        return;
    while (e != PL_PAST_NONE &&
           (pl_past_before(p, cancelled, e) || has_had(p, a->thread, e) ||
            !pl_depend_hears(a->op, pl_depend_bit(&pl_past_record_of(p, e)->op))))
        e = pl_past_race_signal_before(p, e);
    const struct pl_past_race r = {.second = a->number, .n = 1, .taken = {cancelled}};

    if (e != PL_PAST_NONE)
        pl_past_race_add(p, &r);
}

/* Most threads go on, and do what they did before. */
static void fetch_ahead(const struct pl_past_record *r)
{
    __builtin_prefetch(r);
    __builtin_prefetch((const char *)(r + 1) - 1);
}

/* Whether the clock of event e has e itself, nothing later, and all that its thread knew before. */
static bool is_grown(const struct pl_past *p, uint32_t e)
{
    const struct pl_past_event *event = &p->events[e];
    const uint32_t *clock = &p->clocks[event->clock];
    const struct pl_past_event *before =
        event->before != PL_PAST_NONE ? &p->events[event->before] : event;

    for (unsigned i = 0; i < event->n_clock; i++) {
        if (clock[i] > e + (i == event->thread) ||
            (i < before->n_clock && clock[i] < p->clocks[before->clock + i]))
            return false;
    }
    return pl_past_before(p, e, e);
}

void pl_past_push(struct pl_past *p, const struct pl_operation *op, bool automatic)
{
    uint16_t thread = pl_past_thread(p, op);
    struct pl_past_arrival a = {.op = op, .number = p->n_events, .thread = thread};

    PL_ASSERT(op->way != PL_WAY_BLOCKED); /* it has been performed */
    if (p->full || p->n_events == p->events_max || !make_clocks(p, thread, &a)) {
        p->full = true;
        return;
    }
    struct pl_past_event *e = &p->events[p->n_events];

    *e = (struct pl_past_event){
        .record = pl_past_record_next(p, op, thread),
        .clock = p->n_clocks,
        .link = p->n_links,
        .before = p->threads[thread].last,
        .thread = thread,
        .n_clock = p->n_threads,
        .automatic = automatic,
        .let_go = pl_past_loop_first(p, op),
        .round_before = op->round,
    };

    if (op->way == PL_WAY_SIGNAL)
        e->sender = pl_past_waker(p, op) + 1;
    if (op->leaves)
        add_unwoken(p, op, p->n_events, a.clock);
    if (op->again && op->way == PL_WAY_NORMAL &&
        pl_operation_is(op->kind, PL_ROLES(WOKEN, OUTSIDE)))
        add_unsignalled(p, &a);
    if (!automatic && is_disturbed(op))
        add_undisturbed(p, &a);
    if (!automatic && pl_past_is_left(op))
        add_signalled(p, &a);
    join_causes(p, op, thread, a.clock);
    if (op->effect != PL_EFFECT_NONE || op->other != 0 || p->total ||
        p->threads[thread].sent[0] != PL_PAST_NONE || p->threads[thread].sent[1] != PL_PAST_NONE ||
        pl_depend_cancels(op) || pl_past_copies(op)) {
        keep(&a, p->n_threads);
        a.waits = pl_depend_waits(op) && !op->noted && !pl_past_is_left(op);
        a.quiet = automatic;
        pl_past_race_find(p, &a);
        pl_past_race_link(p, op, e);
    }
    a.clock[thread] = p->n_events + 1;
    p->n_clocks += p->n_threads;
    if (pl_operation_is(op->kind, PL_ROLE_CREATES) && op->aux < PL_THREADS_MAX)
        p->birth[op->aux] = p->n_events;
    if (pl_depend_cancels(op) && pl_past_known_thread(p, op->aux) != UINT16_MAX)
        p->threads[pl_past_known_thread(p, op->aux)].sent[pl_past_sent(op)] = p->n_events;
    p->signalled |= pl_operation_is(op->kind, PL_ROLE_SIGNALS);
    if (pl_past_copies(op))
        p->copied = p->n_events;
    PL_ASSERT(e->before == PL_PAST_NONE || e->before < p->n_events);
    p->threads[thread].last = p->n_events;
    p->n_events++;
    PL_CHECK(is_grown(p, p->n_events - 1));
    fetch_ahead(&p->records[p->record_after[e->record]]);
}

/* An operation that has not been performed, as the second of races. */
static void pend(struct pl_past *p, const struct pl_past_record *pending, bool waits)
{
    struct pl_past_record *r = &p->pending[p->n_pending];
    struct pl_past_arrival a = {.op = &r->op,
                                .number = p->n_pending,
                                .pending = true,
                                .thread = pending->thread,
                                .waits = waits};

    PL_ASSERT(p->n_pending < PL_THREADS_MAX);
    *r = *pending;
    if (p->full || !make_clocks(p, r->thread, &a))
        return;
    p->n_pending++;
    join_causes(p, &r->op, r->thread, a.clock);
    keep(&a, p->n_threads);
    pl_past_race_find(p, &a);
}

void pl_past_pending(struct pl_past *p, const struct pl_operation *op)
{
    struct pl_past_record r = pl_past_record_for(op, pl_past_thread(p, op));

    PL_ASSERT(pl_depend_waits(op));
    r.op.effect = (uint8_t)pl_operation_effect(op->kind);
    r.op.other_effect = op->other != 0 ? PL_EFFECT_WRITE : PL_EFFECT_NONE;
    if (pl_operation_is(op->kind, PL_ROLE_REGAINS))
        r.op.effect = PL_EFFECT_NONE;
    pend(p, &r, true);
}

void pl_past_kept(struct pl_past *p, const struct pl_operation *op)
{
    struct pl_past_record r = pl_past_record_for(op, pl_past_thread(p, op));

    PL_ASSERT(op->effect == PL_EFFECT_NONE && op->other != 0);
    if (p->full)
        return;
    uint32_t n = p->n_pending;

    pend(p, &r, false);
    /* It was kept by one; but where it comes before that it is what it is. */
    p->pending[n].op.effect = (uint8_t)pl_operation_effect(op->kind);
    p->pending[n].op.other = 0;
    p->pending[n].op.other_effect = PL_EFFECT_NONE;
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
    struct pl_past_arrival a = {0};

    PL_ASSERT(e < p->n_events && !p->events[e].automatic);
    r.ends = true;
    p->events[e].record = pl_past_record(p, &r);
    if (!make_clocks(p, p->events[e].thread, &a))
        return;
    uint32_t *clock = a.clock;

    /* Whoever ended it may have joined threads since, which leaves them nothing to do. */
    pl_past_join(p, clock, e);
    pl_past_join(p, clock, p->n_events - 1);
    for (unsigned i = 0; i < n; i++) {
        uint32_t member = pl_past_last(p, pl_past_thread(p, next[i]), e);

        if (!next[i]->circle)
            continue;
        if (member != PL_PAST_NONE)
            pl_past_join(p, clock, member);
        member = pl_past_waker(p, next[i]); /* it might not wait for the lock yet */
        if (member != PL_PAST_NONE && member < e)
            pl_past_join(p, clock, member);
    }
    for (uint16_t i = 0; i < p->n_threads; i++) {
        uint32_t last = pl_past_last(p, i, e);

        const struct pl_past_race race = {.second = e, .n = 1, .taken = {last}};

        if (last != PL_PAST_NONE && !pl_past_covers(p, clock, last) && !is_followed(p, last, e))
            pl_past_race_add(p, &race);
    }
}

bool pl_past_could_precede(struct pl_past *p, const struct pl_operation *op, uint32_t e)
{
    struct pl_past_race r = {.n = 1, .taken = {e}};
    struct pl_past_arrival a = {0};

    if (pl_past_waker(p, op) == e)
        return false;

    /* Who is cancelled, or takes a signal, does not wait. */
    return make_clocks(p, pl_past_thread(p, op), &a) && !pl_past_covers(p, a.clock, e) &&
           (pl_past_is_left(op) || op->way == PL_WAY_SIGNAL ||
            pl_past_lock_enable(p, &r, op, a.clock, p->n_events)) &&
           r.n == 1;
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

/* The last cancellation of the thread, or the last signal sent to it, before event e; or
 * PL_PAST_NONE. */
static uint32_t sent_before(const struct pl_past *p, uint16_t thread, unsigned which, uint32_t e)
{
    while (e-- > 0) {
        const struct pl_operation *op = &pl_past_record_of(p, e)->op;

        if (pl_depend_cancels(op) && pl_past_sent(op) == which &&
            pl_past_known_thread(p, op->aux) == thread)
            return e;
    }
    return PL_PAST_NONE;
}

/* The last of the events that makes a copy of everything. */
static uint32_t last_copy(const struct pl_past *p)
{
    for (uint32_t e = p->n_events; e > 0; e--) {
        if (pl_past_copies(&pl_past_record_of(p, e - 1)->op))
            return e - 1;
    }
    return PL_PAST_NONE;
}

/* The event, or the one before the iteration for nothing that it belongs to. */
static uint32_t last_that_counts(const struct pl_past *p, uint32_t e)
{
    while (e != PL_PAST_NONE && p->events[e].idle)
        e = p->events[e].before;
    return e;
}

/* The event, the last of its thread, may be part of a round that is not over any more. */
static void open_round(struct pl_past *p, uint32_t e)
{
    uint32_t round = e != PL_PAST_NONE ? p->events[e].round : 0;

    if (round == 0 || p->events[e].until <= p->n_events)
        return;
    for (; e != PL_PAST_NONE && p->events[e].round == round; e = p->events[e].before)
        p->events[e].round = 0;
}

void pl_past_pop(struct pl_past *p, uint32_t n)
{
    PL_ASSERT(n <= p->n_events);
    while (p->n_events > n) { /* an event is gone when nothing of it is left */
        uint32_t last = p->n_events - 1;
        const struct pl_past_event *e = &p->events[last];
        const struct pl_operation *op = &p->records[e->record].op;

        PL_ASSERT(e->before == PL_PAST_NONE || e->before < last);

        while (p->n_links > e->link) {
            const struct pl_past_link *l = &p->links[--p->n_links];

            p->cells[l->cell].last[l->effect] = l->before;
        }
        p->threads[e->thread].last = last_that_counts(p, e->before);
        p->n_clocks = e->clock;
        if (pl_depend_cancels(op)) {
            unsigned which = pl_past_sent(op);

            for (uint16_t i = 0; i < p->n_threads; i++) {
                if (p->threads[i].sent[which] == last)
                    p->threads[i].sent[which] = sent_before(p, i, which, last);
            }
        }
        p->n_events = last;
        if (p->copied == last)
            p->copied = last_copy(p);
    }
    for (uint16_t i = 0; i < p->n_threads; i++)
        open_round(p, p->threads[i].last);
    p->n_pending = 0;
    forget_races(p, n);
}
