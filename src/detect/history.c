/* SPDX-License-Identifier: MIT */
#include "detect/history.h"

#include "base/assert.h"
#include "detect/host.h"

#include <stddef.h>

enum { SLOTS_FIRST = 512 };

static uint64_t hash_of(uint64_t addr)
{
    return addr * UINT64_C(0x9e3779b97f4a7c15) >> 32;
}

bool pl_history_start(struct pl_history *h)
{
    if (!pl_index_start(&h->table, SLOTS_FIRST, false))
        return false;
    h->base = h->table.memory;
    return true;
}

struct pl_granule *pl_history_known(const struct pl_history *h, uint64_t addr)
{
    PL_TABLE_EACH(i, &h->table, hash_of(addr))
    {
        struct pl_granule *g = pl_index_memory(h->base, i);

        PL_CHECK(g->addr % PL_GRANULE == 0);
        if (g->addr == addr)
            return g;
    }
    return NULL;
}

struct pl_granule *pl_history_granule(struct pl_history *h, uint64_t addr)
{
    struct pl_granule *g = pl_history_known(h, addr);

    PL_ASSERT(addr % PL_GRANULE == 0);
    if (g != NULL)
        return g;
    g = pl_host_allocate(sizeof(*g));
    if (g == NULL || !pl_index_add(&h->table, hash_of(addr), pl_index_number(h->base, g)))
        return NULL;
    g->addr = addr;
    g->next = h->granules;
    h->granules = g;
    h->n_granules++;
    return g;
}

struct pl_earlier *pl_history_add(struct pl_history *h, struct pl_granule *g)
{
    struct pl_earlier *p = h->unused;

    if (p != NULL)
        h->unused = p->next;
    else
        p = pl_host_allocate(sizeof(*p));
    if (p == NULL)
        return NULL;
    p->next = g->past;
    g->past = p;
    return p;
}

void pl_history_remove(struct pl_history *h, struct pl_earlier **at)
{
    struct pl_earlier *p = *at;

    PL_ASSERT(p != NULL);
    *at = p->next;
    p->next = h->unused;
    h->unused = p;
}

struct pl_sync_place *pl_history_place(struct pl_history *h, uint64_t addr, unsigned size)
{
    struct pl_granule *g = pl_history_granule(h, addr & ~(uint64_t)(PL_GRANULE - 1));

    PL_ASSERT(size > 0 && addr % PL_GRANULE + size <= PL_GRANULE);
    if (g == NULL)
        return NULL;
    for (struct pl_sync_place *s = g->places; s != NULL; s = s->next) {
        if (s->addr == addr && s->size == size)
            return s;
    }
    struct pl_sync_place *s = pl_host_allocate(sizeof(*s));

    if (s == NULL)
        return NULL;
    s->addr = addr;
    s->size = (uint8_t)size;
    s->next = g->places;
    g->places = s;
    return s;
}

static void forget_in(struct pl_history *h, struct pl_granule *g, uint64_t addr, uint64_t size)
{
    uint8_t mask = pl_history_mask(g->addr, addr, size);

    for (struct pl_earlier **at = &g->past; *at != NULL;) {
        (*at)->mask &= (uint8_t)~mask;
        if ((*at)->mask == 0)
            pl_history_remove(h, at);
        else
            at = &(*at)->next;
    }
    for (struct pl_sync_place *s = g->places; s != NULL; s = s->next) {
        if (s->addr < addr || s->addr >= addr + size)
            continue;
        pl_clock_clear(&s->clock);
        pl_clock_clear(&s->readers);
    }
}

/* Through the range, or through all that is known, whichever is shorter. */
void pl_history_forget(struct pl_history *h, uint64_t addr, uint64_t size)
{
    uint64_t first = addr & ~(uint64_t)(PL_GRANULE - 1), end = addr + size;

    if ((end - first) / PL_GRANULE <= h->n_granules) {
        for (uint64_t at = first; at < end; at += PL_GRANULE) {
            struct pl_granule *g = pl_history_known(h, at);

            if (g != NULL)
                forget_in(h, g, addr, size);
        }
        return;
    }
    for (struct pl_granule *g = h->granules; g != NULL; g = g->next) {
        if (g->addr >= first && g->addr < end)
            forget_in(h, g, addr, size);
    }
}
