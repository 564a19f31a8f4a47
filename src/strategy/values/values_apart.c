/* SPDX-License-Identifier: MIT */
/*
 * values: what threads have for good.
 *
 * The addresses of some statements are settled when their thread is created (`base` of
 * model/pair.h). Where an attempt fails because its two statements were at different objects, the
 * bases of both threads are learned, and from then on no pair is tried that could not be at one
 * object: Chen's deletion of all pairs of a constant field.
 *
 * What a thread was given may depend on what came before it was created.  So a base counts
 * only where the same has been performed, up to the creation of the last thread: an *era*.
 */
#include "base/hash.h"
#include "model/depend.h"
#include "strategy/values/values_search.h"

void pl_values_apart_step(struct pl_values *s, const struct pl_operation *op)
{
    uint64_t h = pl_hash_quick(s->history, (uint64_t)op->tid << 32 | op->ordinal);

    h = pl_hash_quick(h, (uint64_t)op->kind << 8 | op->way);
    s->history = pl_hash_quick(h, op->addr);
    if (pl_operation_is(op->kind, PL_ROLE_CREATES))
        s->era = s->history;
}

void pl_values_apart_chosen(struct pl_values *s, unsigned option)
{
    s->history = pl_hash_quick(s->history, option + UINT64_C(1));
}

/* ---- bases ---- */

static uint64_t hash_of(uint64_t era, pl_tid tid, uint32_t base)
{
    return pl_hash_add(pl_hash_add(era, tid), base);
}

static const struct pl_values_base *find(const struct pl_values *s, uint64_t era, pl_tid tid,
                                         uint32_t base)
{
    PL_TABLE_EACH(i, &s->by_base, hash_of(era, tid, base))
    {
        if (s->bases[i].base == base && s->bases[i].tid == tid && s->bases[i].era == era)
            return &s->bases[i];
    }
    return NULL;
}

void pl_values_apart_forget(struct pl_values *s)
{
    for (uint32_t i = 0; i < PL_VALUES_BASE_SLOTS; i++)
        s->base_slots[i] = 0;
    pl_table_start(&s->by_base, s->base_slots, PL_VALUES_BASE_SLOTS, PL_VALUES_BASE_SLOTS);
    s->n_bases = 0;
}

uint32_t pl_values_apart_size(const struct pl_operation *op)
{
    return op->addr != 0 && op->other == 0 &&
                   pl_operation_is(op->kind, PL_ROLES(PLAIN, ATOMIC, ACQUIRES, RELEASES))
               ? (uint32_t)pl_depend_size(op)
               : 0;
}

void pl_values_apart_learn(struct pl_strategy_context *c, const struct pl_operation *op,
                           uint32_t site)
{
    struct pl_values *s = pl_values_of(c);
    const struct pl_pair_site *of = &pl_pair_sites(c->pairs)[site];

    if (of->base == 0 || op->addr == 0 || (of->size != 0 && of->size != op->size) ||
        s->n_bases == PL_VALUES_BASES || find(s, s->era, op->tid, of->base) != NULL)
        return;
    s->bases[s->n_bases] =
        (struct pl_values_base){.era = s->era,
                                .address = op->addr - (uint64_t)(int64_t)of->offset,
                                .base = of->base,
                                .tid = op->tid};
    pl_table_add(&s->by_base, hash_of(s->era, op->tid, of->base), s->n_bases);
    s->n_bases++;
}

bool pl_values_is_apart(const struct pl_strategy_context *c, uint64_t era, pl_tid tid,
                        uint32_t target, uint64_t addr, uint32_t size, uint64_t *at)
{
    const struct pl_values *s = pl_values_of(c);
    const struct pl_pair_site *of = &pl_pair_sites(c->pairs)[target];
    const struct pl_values_base *b =
        of->base != 0 && size != 0 ? find(s, era, tid, of->base) : NULL;

    if (b == NULL)
        return false;
    *at = b->address + (uint64_t)(int64_t)of->offset;
    return *at + (of->size != 0 ? of->size : 1) <= addr || addr + size <= *at;
}
