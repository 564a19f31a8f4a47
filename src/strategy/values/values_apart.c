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

/* The slot of a base, or the free one where it would be. */
static uint32_t slot_of(const struct pl_values *s, uint64_t era, pl_tid tid, uint32_t base)
{
    uint64_t h = pl_hash_add(pl_hash_add(era, tid), base);
    uint32_t i = (uint32_t)h % PL_VALUES_BASES;

    while (s->bases[i].base != 0 &&
           (s->bases[i].base != base || s->bases[i].tid != tid || s->bases[i].era != era))
        i = (i + 1) % PL_VALUES_BASES;
    return i;
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

    if (of->base == 0 || op->addr == 0 || (of->size != 0 && of->size != op->size))
        return;
    uint32_t i = slot_of(s, s->era, op->tid, of->base);

    if (s->bases[i].base != 0 || s->n_bases >= PL_VALUES_BASES / 2)
        return;
    s->bases[i] = (struct pl_values_base){.era = s->era,
                                          .address = op->addr - (uint64_t)(int64_t)of->offset,
                                          .base = of->base,
                                          .tid = op->tid};
    s->n_bases++;
}

bool pl_values_is_apart(const struct pl_strategy_context *c, uint64_t era, pl_tid tid,
                        uint32_t target, uint64_t addr, uint32_t size, uint64_t *at)
{
    const struct pl_values *s = pl_values_of(c);
    const struct pl_pair_site *of = &pl_pair_sites(c->pairs)[target];

    if (of->base == 0 || size == 0 || s->n_bases == 0)
        return false;
    const struct pl_values_base *b = &s->bases[slot_of(s, era, tid, of->base)];

    *at = b->address + (uint64_t)(int64_t)of->offset;
    return b->base != 0 && (*at + (of->size != 0 ? of->size : 1) <= addr || addr + size <= *at);
}
