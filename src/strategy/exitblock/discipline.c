/* SPDX-License-Identifier: MIT */
/* See discipline.h. */
#include "strategy/exitblock/discipline.h"

#include "base/claimed.h"
#include "base/hash.h"

#include <stddef.h>

enum state { VIRGIN, EXCLUSIVE, SHARED, MODIFIED };
enum { JOINED = PL_DISCIPLINE_PLACES + PL_THREADS_MAX };

void pl_discipline_start(struct pl_discipline *d, struct pl_arena arena)
{
    d->undo_max = (uint32_t)PL_ARENA_FITS(&arena, struct pl_discipline_undo);
    d->undo = PL_ARENA_TAKE(&arena, struct pl_discipline_undo, d->undo_max);
    PL_ASSERT(d->undo_max > 0);
}

struct pl_discipline_mark pl_discipline_mark(const struct pl_discipline *d)
{
    return (struct pl_discipline_mark){d->now, d->n_undo};
}

static void put_back(struct pl_discipline *d, const struct pl_discipline_undo *u)
{
    PL_ASSERT(u->what <= JOINED);
    if (u->what < PL_DISCIPLINE_PLACES)
        d->places[u->what] = u->old;
    else if (u->what < JOINED)
        d->since[u->what - PL_DISCIPLINE_PLACES] = u->old.when;
    else
        d->joined = u->old.threads;
}

void pl_discipline_back(struct pl_discipline *d, struct pl_discipline_mark mark)
{
    PL_ASSERT(mark.undo <= d->n_undo && mark.now <= d->now);
    while (d->n_undo > mark.undo) {
        put_back(d, &d->undo[d->n_undo - 1]);
        d->n_undo--;
    }
    d->now = mark.now;
}

static bool log_old(struct pl_discipline *d, uint32_t what, struct pl_discipline_place old)
{
    if (d->n_undo == d->undo_max)
        d->full = true;
    if (d->full)
        return false;
    d->undo[d->n_undo] = (struct pl_discipline_undo){what, old};
    d->n_undo++;
    return true;
}

void pl_discipline_order(struct pl_discipline *d, pl_tid tid)
{
    PL_ASSERT(tid < PL_THREADS_MAX);
    struct pl_discipline_place old = {.when = d->since[tid]};

    d->now++;
    if (log_old(d, PL_DISCIPLINE_PLACES + tid, old))
        d->since[tid] = d->now;
}

void pl_discipline_join(struct pl_discipline *d, pl_tid tid)
{
    struct pl_discipline_place old = {.threads = d->joined};

    if (tid < 64 && log_old(d, JOINED, old))
        d->joined |= UINT64_C(1) << tid;
}

/* The place of an access, or the free one that it would get; NULL when there is no room. */
static struct pl_discipline_place *place_of(struct pl_discipline *d, const struct pl_operation *op)
{
    struct pl_claimed places = PL_CLAIMED_ALONE(d->places);
    uint64_t home = pl_hash_mix(op->addr * 8 + op->size);

    for (uint32_t i = 0; i < places.probes; i++) {
        struct pl_discipline_place *p = pl_claimed_entry(places, home, i);

        if (p->addr == 0 || (p->addr == op->addr && p->size == op->size))
            return p;
    }
    d->full = true;
    return NULL;
}

/* Whether all others that used the place come before what the thread does now. */
static bool changes_hands(const struct pl_discipline *d, const struct pl_discipline_place *p,
                          pl_tid tid)
{
    uint64_t self = tid < 64 ? UINT64_C(1) << tid : 0;

    return p->state == VIRGIN || p->when <= d->since[tid] || (p->threads & ~d->joined & ~self) == 0;
}

/* Whether a lock protects such an access: a reader's does not protect a write. */
static bool protects(const struct pl_chain_lock *lock, bool writes)
{
    return lock != NULL && !(lock->shared && writes);
}

/* Keep those of the locks that the thread holds, too. */
static unsigned refine(struct pl_discipline_place *p, const struct pl_chain *chain,
                       const struct pl_operation *op, bool writes)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < PL_DISCIPLINE_LOCKS && p->locks[i] != 0; i++) {
        uint64_t lock = p->locks[i];

        p->locks[i] = 0;
        if (protects(pl_chain_find(chain, op->tid, lock), writes))
            p->locks[kept++] = lock;
    }
    return kept;
}

/* The second thread: from now on locks count. */
static unsigned begin_to_count(struct pl_discipline_place *p, const struct pl_chain *chain,
                               const struct pl_operation *op, bool writes)
{
    unsigned n = 0;

    PL_CHAIN_EACH(lock, chain, pl_chain_held(chain, op->tid))
    {
        if (n < PL_DISCIPLINE_LOCKS && protects(lock, writes))
            p->locks[n++] = lock->addr;
    }
    return n;
}

static void judge(struct pl_discipline *d, struct pl_discipline_place *p,
                  const struct pl_chain *chain, const struct pl_operation *op)
{
    PL_ASSERT(p->state == EXCLUSIVE || p->state == SHARED || p->state == MODIFIED);
    bool writes = op->effect != PL_EFFECT_READ;
    unsigned n =
        p->state == EXCLUSIVE ? begin_to_count(p, chain, op, writes) : refine(p, chain, op, writes);

    PL_ASSERT(n <= PL_DISCIPLINE_LOCKS);
    if (writes || p->state == MODIFIED)
        p->state = MODIFIED;
    else
        p->state = SHARED;
    if (p->state != MODIFIED || n > 0 || d->outside_pc != 0)
        return;
    d->outside_pc = op->pc;
    d->outside_addr = op->addr;
}

void pl_discipline_access(struct pl_discipline *d, const struct pl_chain *chain,
                          const struct pl_operation *op)
{
    struct pl_discipline_place *p =
        d->full || op->effect == PL_EFFECT_NONE ? NULL : place_of(d, op);
    uint64_t self = UINT64_C(1) << (op->tid & 63);

    d->now++;
    if (p == NULL || !log_old(d, (uint32_t)(p - d->places), *p))
        return;
    if (changes_hands(d, p, op->tid))
        *p = (struct pl_discipline_place){
            .addr = op->addr, .size = op->size, .threads = self, .state = EXCLUSIVE};
    else if (p->state != EXCLUSIVE || p->threads != self)
        judge(d, p, chain, op);
    p->threads |= self;
    p->when = d->now;
}
