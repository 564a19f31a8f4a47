/* SPDX-License-Identifier: MIT */
/* See discipline.h. */
#include "strategy/exitblock/discipline.h"

#include "base/claimed.h"
#include "base/hash.h"
#include "model/depend.h"

#include <stddef.h>

/* ---- going back ---- */

void pl_discipline_start(struct pl_discipline *d, struct pl_arena arena)
{
    d->clocks_max = (uint32_t)(arena.left / 4 / sizeof(struct pl_discipline_clock));
    d->clocks = PL_ARENA_TAKE(&arena, struct pl_discipline_clock, d->clocks_max);
    d->accesses_max = (uint32_t)(arena.left / 3 * 2 / sizeof(struct pl_discipline_access));
    d->accesses = PL_ARENA_TAKE(&arena, struct pl_discipline_access, d->accesses_max);
    d->undo_max = (uint32_t)PL_ARENA_FITS(&arena, struct pl_discipline_undo);
    d->undo = PL_ARENA_TAKE(&arena, struct pl_discipline_undo, d->undo_max);
    PL_ASSERT(d->clocks_max > 1 && d->accesses_max > 1 && d->undo_max > 0);
    d->n_clocks = d->n_accesses = 1;
    d->clocks[0] = (struct pl_discipline_clock){{0}};
    d->accesses[0] = (struct pl_discipline_access){0};
}

struct pl_discipline_mark pl_discipline_mark(const struct pl_discipline *d)
{
    return (struct pl_discipline_mark){d->n_clocks, d->n_accesses, d->n_undo};
}

void pl_discipline_back(struct pl_discipline *d, struct pl_discipline_mark mark)
{
    PL_ASSERT(mark.undo <= d->n_undo && mark.clocks <= d->n_clocks);
    PL_ASSERT(mark.accesses <= d->n_accesses);
    while (d->n_undo > mark.undo) {
        const struct pl_discipline_undo *u = &d->undo[d->n_undo - 1];

        PL_ASSERT(u->what < PL_DISCIPLINE_PLACES + PL_DISCIPLINE_THREADS);
        if (u->what >= PL_DISCIPLINE_PLACES)
            d->threads[u->what - PL_DISCIPLINE_PLACES] = u->old.thread;
        else
            d->places[u->what].last = u->old.last;
        if (u->fresh)
            d->places[u->what].granule = 0;
        d->n_undo--;
    }
    d->n_clocks = mark.clocks;
    d->n_accesses = mark.accesses;
}

static bool has_room(struct pl_discipline *d)
{
    d->full |= d->n_undo + 2 > d->undo_max || d->n_accesses == d->accesses_max ||
               d->n_clocks == d->clocks_max;
    return !d->full;
}

static void set_thread(struct pl_discipline *d, pl_tid tid, struct pl_discipline_thread to)
{
    PL_ASSERT(d->n_undo < d->undo_max);
    d->undo[d->n_undo] = (struct pl_discipline_undo){.what = PL_DISCIPLINE_PLACES + tid,
                                                     .old.thread = d->threads[tid]};
    d->n_undo++;
    d->threads[tid] = to;
}

static void set_place(struct pl_discipline *d, struct pl_discipline_place *p, uint64_t granule,
                      uint32_t last)
{
    PL_ASSERT(d->n_undo < d->undo_max);
    d->undo[d->n_undo] = (struct pl_discipline_undo){
        .what = (uint32_t)(p - d->places), .fresh = p->granule == 0, .old.last = p->last};
    d->n_undo++;
    p->granule = granule;
    p->last = last;
}

/* ---- what is known ---- */

/* Thread tid knows what `other` did up to that time, and what that one knew. */
static void know(struct pl_discipline *d, pl_tid tid, pl_tid other,
                 struct pl_discipline_thread then)
{
    struct pl_discipline_thread self = d->threads[tid];
    const struct pl_discipline_clock *have = &d->clocks[self.clock], *get = &d->clocks[then.clock];
    bool more = have->of[other] < then.time;

    for (unsigned i = 0; i < PL_DISCIPLINE_THREADS && !more; i++)
        more = have->of[i] < get->of[i];
    if (!more || tid == other || !has_room(d))
        return;
    struct pl_discipline_clock *sum = &d->clocks[d->n_clocks];

    for (unsigned i = 0; i < PL_DISCIPLINE_THREADS; i++)
        sum->of[i] = have->of[i] > get->of[i] ? have->of[i] : get->of[i];
    if (sum->of[other] < then.time)
        sum->of[other] = then.time;
    self.clock = d->n_clocks++;
    set_thread(d, tid, self);
}

static bool is_known(const struct pl_discipline *d, pl_tid tid,
                     const struct pl_discipline_access *a)
{
    return a->tid == tid || d->clocks[d->threads[tid].clock].of[a->tid] >= a->time;
}

void pl_discipline_join(struct pl_discipline *d, pl_tid tid, pl_tid other)
{
    if (tid >= PL_DISCIPLINE_THREADS || other >= PL_DISCIPLINE_THREADS)
        d->full = true;
    else
        know(d, tid, other, d->threads[other]);
}

/* ---- accesses ---- */

#define EACH_ACCESS(a, d, list)                                                           \
    for (const struct pl_discipline_access *a = &(d)->accesses[list]; a != (d)->accesses; \
         a = &(d)->accesses[a->next])

static struct pl_discipline_place *place_of(struct pl_discipline *d, uint64_t granule)
{
    struct pl_discipline_place *p =
        pl_claimed_slot(PL_CLAIMED_ALONE(d->places), pl_hash_mix(granule), granule);

    PL_ASSERT(granule != 0);
    d->full |= p == NULL;
    return p;
}

/* Whether one of the locks keeps the two out of each other's way: readers do not. */
static bool is_locked(const struct pl_chain *chain, uint32_t one, uint32_t other)
{
    PL_CHAIN_EACH(a, chain, one)
    {
        PL_CHAIN_EACH(b, chain, other)
        {
            if (a->addr == b->addr && !(a->shared && b->shared))
                return true;
        }
    }
    return false;
}

/* Whether whatever keeps others away from `one` is there at `other`, too. */
static bool is_as_locked(const struct pl_chain *chain, uint32_t one, uint32_t other)
{
    if (one == other)
        return true;
    PL_CHAIN_EACH(a, chain, one)
    {
        bool found = false;

        PL_CHAIN_EACH(b, chain, other)
        found |= a->addr == b->addr && (a->shared || !b->shared);
        if (!found)
            return false;
    }
    return true;
}

/* Whether whoever may come to the later one of two of a thread may come to the earlier one. */
static bool is_stricter(const struct pl_chain *chain, const struct pl_discipline_access *later,
                        const struct pl_discipline_access *earlier)
{
    return later->tid == earlier->tid && (earlier->bytes & ~later->bytes) == 0 &&
           (later->effect == earlier->effect || later->effect == PL_EFFECT_WRITE) &&
           (!later->atomic || earlier->atomic) && is_as_locked(chain, later->held, earlier->held);
}

/* The list without those that are not needed any more. */
static uint32_t without(struct pl_discipline *d, const struct pl_chain *chain, uint32_t list,
                        const struct pl_discipline_access *later)
{
    if (list == 0)
        return 0;
    struct pl_discipline_access a = d->accesses[list];
    uint32_t rest = without(d, chain, a.next, later);

    if (is_stricter(chain, later, &a))
        return rest;
    if (rest == a.next || !has_room(d))
        return list;
    a.next = rest;
    d->accesses[d->n_accesses] = a;
    return d->n_accesses++;
}

static bool conflict(const struct pl_discipline_access *a, const struct pl_discipline_access *b)
{
    return (a->bytes & b->bytes) != 0 &&
           (pl_depend_conflict(a->effect, b->effect) ||
            (a->effect == PL_EFFECT_ADD && b->effect == PL_EFFECT_ADD && a->bytes != b->bytes));
}

/* Those before it that it depends on and its thread did not know of, and what follows from that. */
static void judge(struct pl_discipline *d, const struct pl_chain *chain, uint32_t list,
                  const struct pl_discipline_access *now, uint64_t granule, uint32_t knew)
{
    EACH_ACCESS(a, d, list)
    {
        if (d->clocks[knew].of[a->tid] >= a->time || a->tid == now->tid || !conflict(a, now))
            continue;
        if (!(a->atomic && now->atomic) && !is_locked(chain, a->held, now->held) &&
            d->outside.pc == 0)
            d->outside = (struct pl_discipline_pair){
                now->pc, a->pc, granule * 8 + (unsigned)__builtin_ctz(a->bytes & now->bytes)};
        know(d, now->tid, a->tid, (struct pl_discipline_thread){a->clock, a->time});
    }
}

static void touch_granule(struct pl_discipline *d, const struct pl_chain *chain, uint64_t granule,
                          struct pl_discipline_access *now, uint32_t knew)
{
    struct pl_discipline_place *p = place_of(d, granule);

    if (p == NULL)
        return;
    uint32_t list = p->granule != 0 ? p->last : 0;

    judge(d, chain, list, now, granule, knew);
    now->clock = d->threads[now->tid].clock;
    list = without(d, chain, list, now);
    if (!has_room(d))
        return;
    now->next = list;
    d->accesses[d->n_accesses] = *now;
    set_place(d, p, granule, d->n_accesses++);
}

void pl_discipline_touch(struct pl_discipline *d, const struct pl_chain *chain,
                         const struct pl_operation *op, uint64_t addr, uint64_t size,
                         enum pl_effect effect, bool atomic)
{
    uint64_t end = addr + size;

    d->full |= op->tid >= PL_DISCIPLINE_THREADS;
    if (effect == PL_EFFECT_NONE || addr < 8 || !has_room(d))
        return;
    struct pl_discipline_thread self = d->threads[op->tid];

    self.time++;
    set_thread(d, op->tid, self);
    struct pl_discipline_access now = {.pc = op->pc,
                                       .time = self.time,
                                       .held = pl_chain_held(chain, op->tid),
                                       .tid = op->tid,
                                       .effect = (uint8_t)effect,
                                       .atomic = atomic};

    while (addr < end && !d->full) {
        uint64_t next = (addr | 7) + 1, stop = next < end ? next : end;

        now.bytes = (uint8_t)(((1u << (stop - addr)) - 1) << (addr & 7));
        touch_granule(d, chain, addr / 8, &now, self.clock);
        addr = stop;
    }
}

void pl_discipline_learn(struct pl_discipline *d, pl_tid tid, uint64_t object)
{
    const struct pl_discipline_place *p =
        tid < PL_DISCIPLINE_THREADS && !d->full ? place_of(d, object / 8) : NULL;

    if (p == NULL || p->granule == 0)
        return;
    EACH_ACCESS(a, d, p->last)
    {
        if (!is_known(d, tid, a))
            know(d, tid, a->tid, (struct pl_discipline_thread){a->clock, a->time});
    }
}
