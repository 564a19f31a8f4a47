/* SPDX-License-Identifier: MIT */
#include "detect/history.h"

#include "detect/host.h"

#include <stddef.h>

enum { CHAINS_FIRST = 256, CHAINS_GROWTH = 16, LOAD = 2 };

static uint64_t chain_of(uint64_t n_chains, uint64_t addr)
{
    return (addr * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (n_chains - 1);
}

bool pl_history_start(struct pl_history *h)
{
    h->chains = pl_host_allocate(CHAINS_FIRST * sizeof(*h->chains));
    h->n_chains = h->chains != NULL ? CHAINS_FIRST : 0;
    return h->chains != NULL;
}

/* There are many granules now: sort them into more chains.  Without memory it stays as it is. */
static void spread(struct pl_history *h)
{
    uint64_t n = h->n_chains * CHAINS_GROWTH;
    struct pl_granule **chains = pl_host_allocate(n * sizeof(*chains));

    if (chains == NULL)
        return;
    for (uint64_t i = 0; i < h->n_chains; i++) {
        for (struct pl_granule *g = h->chains[i], *next; g != NULL; g = next) {
            struct pl_granule **chain = &chains[chain_of(n, g->addr)];

            next = g->next;
            g->next = *chain;
            *chain = g;
        }
    }
    h->chains = chains;
    h->n_chains = n;
}

struct pl_granule *pl_history_known(const struct pl_history *h, uint64_t addr)
{
    struct pl_granule *g = h->chains[chain_of(h->n_chains, addr)];

    while (g != NULL && g->addr != addr)
        g = g->next;
    return g;
}

struct pl_granule *pl_history_granule(struct pl_history *h, uint64_t addr)
{
    struct pl_granule *g = pl_history_known(h, addr);

    if (g != NULL)
        return g;
    if (h->n_granules == h->n_chains * LOAD)
        spread(h);
    g = pl_host_allocate(sizeof(*g));
    if (g == NULL)
        return NULL;
    struct pl_granule **chain = &h->chains[chain_of(h->n_chains, addr)];

    g->addr = addr;
    g->next = *chain;
    *chain = g;
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

    *at = p->next;
    p->next = h->unused;
    h->unused = p;
}

struct pl_sync_place *pl_history_place(struct pl_history *h, uint64_t addr, unsigned size)
{
    struct pl_granule *g = pl_history_granule(h, addr & ~(uint64_t)(PL_GRANULE - 1));

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

    if ((end - first) / PL_GRANULE <= h->n_chains + h->n_granules) {
        for (uint64_t at = first; at < end; at += PL_GRANULE) {
            struct pl_granule *g = pl_history_known(h, at);

            if (g != NULL)
                forget_in(h, g, addr, size);
        }
        return;
    }
    for (uint64_t i = 0; i < h->n_chains; i++) {
        for (struct pl_granule *g = h->chains[i]; g != NULL; g = g->next) {
            if (g->addr >= first && g->addr < end)
                forget_in(h, g, addr, size);
        }
    }
}
