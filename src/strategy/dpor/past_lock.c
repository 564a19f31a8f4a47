/* SPDX-License-Identifier: MIT */
/*
 * Operations that wait.  One cannot change places with the release before it, only with the
 * acquisition before that; and if that is taken away together with all that happened after it, the
 * lock may be left with somebody else, whose acquisition must then go as well.
 *
 * What a race takes away is a set of events; all that happened after one of them is gone, too.
 */
#include "strategy/dpor/past_parts.h"

/* Whether the operation takes, or gives back, the lock at this address. */
static bool takes(const struct pl_past_record *r, uint64_t lock)
{
    return pl_depend_taken_lock(&r->op) == lock;
}

static bool gives(const struct pl_past_record *r, uint64_t lock)
{
    return pl_depend_given_lock(&r->op) == lock;
}

/* Whether it sets the lock, or semaphore, to what it likes: whoever holds it does so no more. */
static bool resets(const struct pl_past_record *r, const struct pl_past_link *l, uint64_t lock)
{
    return pl_operation_is(r->op.kind, PL_ROLE_OVERWRITES) && l->effect == PL_EFFECT_WRITE &&
           l->offset <= lock % PL_PAST_GRANULE && lock % PL_PAST_GRANULE < l->offset + l->size;
}

/* The cell of what an operation waits for. */
static uint32_t awaited_cell(struct pl_past *p, const struct pl_operation *op)
{
    return pl_past_race_cell(p, pl_depend_awaited(op) / PL_PAST_GRANULE);
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

uint32_t pl_past_first(const struct pl_past_race *r)
{
    uint32_t first = r->taken[0];

    PL_ASSERT(r->n > 0 && r->n <= PL_PAST_TAKEN);
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
static uint32_t holder_without(struct pl_past *p, const struct pl_past_race *r, uint64_t lock,
                               unsigned effect, uint32_t until)
{
    uint32_t cell = pl_past_race_cell(p, lock / PL_PAST_GRANULE);
    uint32_t add = last_until(p, cell, PL_EFFECT_ADD, until);
    uint32_t write = last_until(p, cell, PL_EFFECT_WRITE, until);
    uint32_t first = pl_past_first(r), found = PL_PAST_NONE;

    PL_ASSERT(lock != 0 && first < until && until <= p->n_events);
    if (effect == PL_EFFECT_ADD)
        add = PL_PAST_NONE; /* readers do not wait for readers */
    for (unsigned i = 0; i < p->n_threads; i++)
        p->released[i] = PL_PAST_NONE;
    while (found == PL_PAST_NONE && (add != PL_PAST_NONE || write != PL_PAST_NONE)) {
        bool reader = write == PL_PAST_NONE ||
                      (add != PL_PAST_NONE && p->links[add].event > p->links[write].event);
        const struct pl_past_link *l = &p->links[reader ? add : write];
        const struct pl_past_record *by = pl_past_record_of(p, l->event);

        if (gives(by, lock)) {
            p->released[by->thread] = l->event;
            if (!reader && l->event < first)
                break; /* nobody holds it from before that */
        } else if (takes(by, lock) && !pl_past_is_taken(p, r, l->event)) {
            uint32_t end = p->released[by->thread];

            PL_ASSERT(end == PL_PAST_NONE || end > l->event);
            if (end == PL_PAST_NONE || pl_past_is_taken(p, r, end))
                found = l->event;
        } else if (resets(by, l, lock) && !pl_past_is_taken(p, r, l->event)) {
            break;
        }
        if (reader)
            add = l->before;
        else
            write = l->before;
    }
    return found;
}

/*
 * The first of the events taken away that set the semaphore to what they liked, so that what counts
 * is what it found; or `until`.
 */
static uint32_t first_reset(const struct pl_past *p, const struct pl_past_race *r, uint32_t cell,
                            uint64_t semaphore, uint32_t until)
{
    uint32_t i = last_until(p, cell, PL_EFFECT_WRITE, until), found = until;

    for (; i != PL_PAST_NONE && p->links[i].event >= r->taken[0]; i = p->links[i].before) {
        uint32_t e = p->links[i].event;

        if (resets(pl_past_record_of(p, e), &p->links[i], semaphore) && pl_past_is_taken(p, r, e))
            found = e;
    }
    return found;
}

/* How many a semaphore would hold: what it has, and what taking events away changes. */
static int64_t value_without(struct pl_past *p, const struct pl_past_race *r,
                             const struct pl_operation *op, uint32_t until)
{
    uint32_t cell = awaited_cell(p, op);
    uint32_t reset = first_reset(p, r, cell, pl_depend_awaited(op), until);
    int64_t value = op->aux;

    PL_ASSERT(r->n == 1); /* one that takes needs no other holder gone */
    if (reset < until) {
        const struct pl_operation *by = &pl_past_record_of(p, reset)->op;

        value = by->kind == PL_OP_OBJECT_INIT ? by->aux : 1; /* of a plain store: not known */
    }
    uint32_t i = last_until(p, cell, PL_EFFECT_ADD, reset);

    for (; i != PL_PAST_NONE && p->links[i].event >= r->taken[0]; i = p->links[i].before)
        value -= pl_past_is_taken(p, r, p->links[i].event);
    i = last_until(p, cell, PL_EFFECT_WRITE, reset);
    for (; i != PL_PAST_NONE && p->links[i].event >= r->taken[0]; i = p->links[i].before)
        value += pl_past_is_taken(p, r, p->links[i].event);
    return value;
}

/* Somebody who would hold what the operation waits for. */
static uint32_t holder_of(struct pl_past *p, const struct pl_past_race *r,
                          const struct pl_operation *op, uint32_t until)
{
    return holder_without(p, r, pl_depend_awaited(op),
                          awaits_share(op) ? PL_EFFECT_ADD : PL_EFFECT_WRITE, until);
}

/* Whether the thread has the lock already, and goes on with it all the same. */
static bool has_itself(const struct pl_past *p, uint32_t holder, const struct pl_operation *op)
{
    return op->way != PL_WAY_BLOCKED &&
           p->events[holder].thread == pl_past_known_thread(p, op->tid);
}

/*
 * Whether what the thread gives back by event `e` is what it had before there were events: a lock
 * that several may have at once it may have taken once more since, and given back before.
 */
static bool had_before(const struct pl_past *p, uint32_t cell, uint64_t lock, uint16_t thread,
                       uint32_t e)
{
    uint32_t add = last_until(p, cell, PL_EFFECT_ADD, e);
    uint32_t write = last_until(p, cell, PL_EFFECT_WRITE, e);
    unsigned given = 1;

    while (given > 0 && (add != PL_PAST_NONE || write != PL_PAST_NONE)) {
        bool adds = write == PL_PAST_NONE ||
                    (add != PL_PAST_NONE && p->links[add].event > p->links[write].event);
        uint32_t *at = adds ? &add : &write;
        const struct pl_past_link *l = &p->links[*at];
        const struct pl_past_record *by = pl_past_record_of(p, l->event);

        *at = l->before;
        if (l->thread == thread && takes(by, lock))
            given--;
        else if (l->thread == thread && gives(by, lock))
            given++;
    }
    return given > 0;
}

/* Whether one of the releases with this effect that are taken away is of that kind. */
static bool gives_earlier(const struct pl_past *p, const struct pl_past_race *r, uint32_t cell,
                          uint64_t lock, unsigned effect)
{
    uint32_t first = pl_past_first(r), i = p->cells[cell].last[effect];

    for (; i != PL_PAST_NONE && p->links[i].event > first; i = p->links[i].before) {
        uint32_t e = p->links[i].event;

        if (gives(pl_past_record_of(p, e), lock) && pl_past_is_taken(p, r, e) &&
            had_before(p, cell, lock, p->links[i].thread, e))
            return true;
    }
    return false;
}

/* Whether somebody has read since before there were events, and would not yet have ended that. */
static bool read_before(struct pl_past *p, const struct pl_past_race *r,
                        const struct pl_operation *op)
{
    return !awaits_share(op) &&
           gives_earlier(p, r, awaited_cell(p, op), pl_depend_awaited(op), PL_EFFECT_ADD);
}

bool pl_past_lock_needs_release(struct pl_past *p, const struct pl_past_race *r,
                                const struct pl_operation *op)
{
    uint64_t lock = pl_depend_awaited(op);

    if (!pl_depend_waits(op) || awaits_semaphore(op) || lock == 0)
        return false;
    uint32_t cell = awaited_cell(p, op);

    return gives_earlier(p, r, cell, lock, PL_EFFECT_WRITE) || read_before(p, r, op);
}

bool pl_past_lock_enable(struct pl_past *p, struct pl_past_race *r, const struct pl_operation *op,
                         const uint32_t *known, uint32_t until)
{
    if (!pl_depend_waits(op))
        return true;
    if (awaits_semaphore(op))
        return value_without(p, r, op, until) > 0;
    for (;;) {
        uint32_t holder = holder_of(p, r, op, until);

        if (holder == PL_PAST_NONE)
            return !read_before(p, r, op);
        if (has_itself(p, holder, op))
            return true;
        if (pl_past_covers(p, known, holder))
            return false;
        PL_ASSERT(!pl_past_is_taken(p, r, holder)); /* so the set grows, and this ends */
        if (r->n == PL_PAST_TAKEN) {
            p->inexact = true;
            return false;
        }
        r->taken[r->n++] = holder;
    }
}

/*
 * Whether it still waits for a signal, or is as if it did: it could have had one that another has
 * taken, but not before it was sent, and the end of a thread keeps none from it.
 */
static bool keeps_waiting(const struct pl_past *p, const struct pl_past_arrival *a, uint32_t e)
{
    return (a->pending || a->instead) && pl_operation_is(a->op->kind, PL_ROLE_WOKEN) &&
           pl_operation_is(pl_past_record_of(p, e)->op.kind, PL_ROLES(ENDS, SIGNALS));
}

bool pl_past_lock_may_precede(const struct pl_past *p, const struct pl_past_arrival *a,
                              uint64_t granule, uint32_t e)
{
    uint64_t awaited = pl_depend_awaited(a->op);

    if (keeps_waiting(p, a, e))
        return false;
    return !a->waits || awaited / PL_PAST_GRANULE != granule || awaits_semaphore(a->op) ||
           !gives(pl_past_record_of(p, e), awaited);
}

bool pl_past_could_depart(struct pl_past *p, uint32_t first, uint32_t second)
{
    const struct pl_operation *op = &pl_past_record_of(p, second)->op;
    uint32_t waker = pl_past_waker(p, op);
    const struct pl_past_race r = {.second = second, .n = 1, .taken = {first}};

    PL_ASSERT(first < second && second < p->n_events);
    if (p->events[second].automatic ||
        op->way != PL_WAY_NORMAL ||   /* what it does without that is not known */
        pl_past_leaves_barrier(op) || /* it needs more than one arrival */
        (waker != PL_PAST_NONE && pl_past_before(p, first, waker)))
        return false;
    if (!pl_depend_waits(op))
        return true;
    return awaits_semaphore(op) ? value_without(p, &r, op, second) > 0
                                : holder_of(p, &r, op, second) == PL_PAST_NONE;
}
