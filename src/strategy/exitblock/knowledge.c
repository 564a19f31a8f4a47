/* SPDX-License-Identifier: MIT */
/* See knowledge.h. */
#include "strategy/exitblock/knowledge.h"

#include "base/claimed.h"
#include "base/hash.h"

#include <stddef.h>

void pl_knowledge_start(struct pl_knowledge *k, struct pl_arena arena)
{
    k->clocks_max = (uint32_t)(arena.left / 4 * 3 / sizeof(struct pl_knowledge_clock));
    k->clocks = PL_ARENA_TAKE(&arena, struct pl_knowledge_clock, k->clocks_max);
    k->undo_max = (uint32_t)PL_ARENA_FITS(&arena, struct pl_knowledge_undo);
    k->undo = PL_ARENA_TAKE(&arena, struct pl_knowledge_undo, k->undo_max);
    PL_ASSERT(k->clocks_max > 1 && k->undo_max > 0);
    k->n_clocks = 1;
    k->clocks[0] = (struct pl_knowledge_clock){{0}};
}

struct pl_knowledge_mark pl_knowledge_mark(const struct pl_knowledge *k)
{
    return (struct pl_knowledge_mark){k->n_clocks, k->n_undo};
}

void pl_knowledge_back(struct pl_knowledge *k, struct pl_knowledge_mark mark)
{
    PL_ASSERT(mark.undo <= k->n_undo && mark.clocks > 0 && mark.clocks <= k->n_clocks);
    while (k->n_undo > mark.undo) {
        const struct pl_knowledge_undo *u = &k->undo[k->n_undo - 1];

        PL_ASSERT(u->what < PL_KNOWLEDGE_PLACES + PL_KNOWLEDGE_THREADS);
        if (u->what >= PL_KNOWLEDGE_PLACES)
            k->threads[u->what - PL_KNOWLEDGE_PLACES] = u->clock;
        else
            k->places[u->what].clock = u->clock;
        if (u->fresh)
            k->places[u->what].addr = 0;
        k->n_undo--;
    }
    k->n_clocks = mark.clocks;
}

static bool log_old(struct pl_knowledge *k, uint32_t what, uint32_t clock, bool fresh)
{
    if (k->n_undo == k->undo_max)
        k->full = true;
    if (k->full)
        return false;
    k->undo[k->n_undo] = (struct pl_knowledge_undo){what, clock, fresh};
    k->n_undo++;
    return true;
}

static void set_thread(struct pl_knowledge *k, pl_tid tid, uint32_t clock)
{
    if (log_old(k, PL_KNOWLEDGE_PLACES + tid, k->threads[tid], false))
        k->threads[tid] = clock;
}

/* A clock like that one; 0 when there is no room. */
static uint32_t copy(struct pl_knowledge *k, uint32_t clock)
{
    if (k->n_clocks == k->clocks_max) {
        k->full = true;
        return 0;
    }
    PL_ASSERT(clock < k->n_clocks);
    k->clocks[k->n_clocks] = k->clocks[clock];
    return k->n_clocks++;
}

/* The clock that knows what either does. */
static uint32_t both(struct pl_knowledge *k, uint32_t one, uint32_t other)
{
    uint32_t sum = one;

    for (unsigned i = 0; i < PL_KNOWLEDGE_THREADS; i++) {
        if (k->clocks[other].of[i] <= k->clocks[sum].of[i])
            continue;
        if (sum == one)
            sum = copy(k, one);
        if (sum == 0)
            return one;
        k->clocks[sum].of[i] = k->clocks[other].of[i];
    }
    return sum;
}

/* The place of an address, or the free one that it would get; NULL when the table is full. */
static struct pl_knowledge_place *place_of(struct pl_knowledge *k, uint64_t addr)
{
    struct pl_knowledge_place *p =
        pl_claimed_slot(PL_CLAIMED_ALONE(k->places), pl_hash_mix(addr), addr);

    k->full |= p == NULL;
    return p;
}

static void set_place(struct pl_knowledge *k, struct pl_knowledge_place *p, uint64_t addr,
                      uint32_t clock)
{
    PL_ASSERT(addr != 0 && (p->addr == 0 || p->addr == addr));
    if (!log_old(k, (uint32_t)(p - k->places), p->clock, p->addr == 0))
        return;
    p->addr = addr;
    p->clock = clock;
}

uint16_t pl_knowledge_tick(struct pl_knowledge *k, pl_tid tid)
{
    uint32_t clock = tid < PL_KNOWLEDGE_THREADS && !k->full ? copy(k, k->threads[tid]) : 0;

    if (clock == 0 || k->clocks[clock].of[tid] == UINT16_MAX)
        return UINT16_MAX;
    set_thread(k, tid, clock);
    return ++k->clocks[clock].of[tid];
}

void pl_knowledge_read(struct pl_knowledge *k, pl_tid tid, uint64_t addr)
{
    const struct pl_knowledge_place *p =
        tid < PL_KNOWLEDGE_THREADS && !k->full ? place_of(k, addr) : NULL;

    if (p == NULL || p->addr != addr)
        return;
    uint32_t sum = both(k, k->threads[tid], p->clock);

    if (sum != k->threads[tid])
        set_thread(k, tid, sum);
}

void pl_knowledge_write(struct pl_knowledge *k, pl_tid tid, uint64_t addr)
{
    struct pl_knowledge_place *p = k->full ? NULL : place_of(k, addr);
    uint32_t clock = tid < PL_KNOWLEDGE_THREADS ? k->threads[tid] : 0;

    if (p != NULL && (p->addr != addr || p->clock != clock))
        set_place(k, p, addr, clock);
}

void pl_knowledge_add(struct pl_knowledge *k, pl_tid tid, uint64_t addr)
{
    struct pl_knowledge_place *p =
        tid < PL_KNOWLEDGE_THREADS && !k->full ? place_of(k, addr) : NULL;

    if (p == NULL)
        return;
    uint32_t told = p->addr == addr ? p->clock : 0;

    set_place(k, p, addr, both(k, told, k->threads[tid]));
}

void pl_knowledge_join(struct pl_knowledge *k, pl_tid tid, pl_tid other)
{
    if (tid >= PL_KNOWLEDGE_THREADS || other >= PL_KNOWLEDGE_THREADS || k->full)
        return;
    uint32_t sum = both(k, k->threads[tid], k->threads[other]);

    if (sum != k->threads[tid])
        set_thread(k, tid, sum);
}

uint32_t pl_knowledge_now(const struct pl_knowledge *k, pl_tid tid)
{
    return tid < PL_KNOWLEDGE_THREADS ? k->threads[tid] : 0;
}

uint16_t pl_knowledge_of(const struct pl_knowledge *k, uint32_t clock, pl_tid other)
{
    PL_ASSERT(clock < k->n_clocks);
    return other < PL_KNOWLEDGE_THREADS ? k->clocks[clock].of[other] : 0;
}
