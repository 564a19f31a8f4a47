/* SPDX-License-Identifier: MIT */
/* See blocks.h. */
#include "strategy/exitblock/blocks.h"

#include "base/hash.h"

#include <stddef.h>

enum { SMALL = 16 };

void pl_blocks_start(struct pl_blocks *b, struct pl_arena arena)
{
    b->sets_max = (uint32_t)(arena.left / 4 / sizeof(struct pl_blocks_set));
    b->sets = PL_ARENA_TAKE(&arena, struct pl_blocks_set, b->sets_max);
    b->cells_max = (uint32_t)PL_ARENA_FITS(&arena, struct pl_blocks_cell);
    b->cells = PL_ARENA_TAKE(&arena, struct pl_blocks_cell, b->cells_max);
    PL_ASSERT(b->sets_max > 1 && b->cells_max > 0);
    b->n_cells = 0;
    b->n_sets = 1;
    b->full = false;
    b->sets[0] = (struct pl_blocks_set){.tid = PL_TID_NONE};
}

uint32_t pl_blocks_open(struct pl_blocks *b, pl_tid tid)
{
    if (b->n_sets == b->sets_max) {
        b->full = true;
        b->n_sets--;
    }
    PL_ASSERT(b->n_sets > 0 && b->n_sets < b->sets_max);
    b->sets[b->n_sets] = (struct pl_blocks_set){.first = b->n_cells, .tid = tid};
    b->generation++;
    return b->n_sets++;
}

/* The cell of the granule in the open set; NULL when there is no room. */
static struct pl_blocks_cell *cell_of(struct pl_blocks *b, uint64_t granule, uint64_t mixed)
{
    struct pl_blocks_set *set = &b->sets[b->n_sets - 1];
    unsigned slot = (unsigned)(mixed >> 8) % PL_BLOCKS_RECENT;

    if (b->recent[slot].generation == b->generation &&
        b->cells[b->recent[slot].cell].granule == granule)
        return &b->cells[b->recent[slot].cell];
    if (b->n_cells == b->cells_max) {
        b->full = true;
        return NULL;
    }
    PL_ASSERT(b->n_sets > 1 && set->first + set->n == b->n_cells); /* it is the open one */
    b->recent[slot].generation = b->generation;
    b->recent[slot].cell = b->n_cells;
    set->n++;
    b->cells[b->n_cells] = (struct pl_blocks_cell){.granule = granule};
    return &b->cells[b->n_cells++];
}

static void touch_granule(struct pl_blocks *b, uint64_t granule, uint8_t mask,
                          enum pl_effect effect)
{
    struct pl_blocks_set *set = &b->sets[b->n_sets - 1];
    uint64_t mixed = pl_hash_mix(granule), bit = UINT64_C(1) << (mixed & 63);
    struct pl_blocks_cell *cell = cell_of(b, granule, mixed);

    if (cell == NULL)
        return;
    if (effect == PL_EFFECT_READ) {
        cell->read |= mask;
        set->reads |= bit;
    } else if (effect == PL_EFFECT_ADD) {
        cell->add |= mask;
        set->adds |= bit;
    } else {
        cell->written |= mask;
        set->writes |= bit;
    }
}

void pl_blocks_touch(struct pl_blocks *b, uint64_t addr, uint64_t size, enum pl_effect effect)
{
    uint64_t end = addr + size;

    if (effect == PL_EFFECT_NONE)
        return;
    while (addr < end) {
        uint64_t next = (addr | 7) + 1, stop = next < end ? next : end;
        unsigned low = addr & 7, n = (unsigned)(stop - addr);

        touch_granule(b, addr / 8, (uint8_t)(((1u << n) - 1) << low), effect);
        addr = stop;
    }
}

static void swap(struct pl_blocks_cell *a, struct pl_blocks_cell *b)
{
    struct pl_blocks_cell t = *a;

    *a = *b;
    *b = t;
}

static void insertion_sort(struct pl_blocks_cell *c, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        for (uint32_t j = i; j > 0 && c[j].granule < c[j - 1].granule; j--)
            swap(&c[j], &c[j - 1]);
    }
}

static void sift(struct pl_blocks_cell *c, uint32_t at, uint32_t n)
{
    for (;;) {
        uint32_t child = 2 * at + 1;

        if (child >= n)
            return;
        if (child + 1 < n && c[child].granule < c[child + 1].granule)
            child++;
        if (c[at].granule >= c[child].granule)
            return;
        swap(&c[at], &c[child]);
        at = child;
    }
}

static void sort(struct pl_blocks_cell *c, uint32_t n)
{
    if (n <= SMALL) {
        insertion_sort(c, n);
        return;
    }
    for (uint32_t i = n / 2; i-- > 0;)
        sift(c, i, n);
    for (uint32_t end = n - 1; end > 0; end--) {
        swap(&c[0], &c[end]);
        sift(c, 0, end);
    }
}

/* For checks: whether the cells of a set ascend, each granule once. */
__attribute__((unused)) static bool is_ascending(const struct pl_blocks_cell *c, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        if (c[i - 1].granule >= c[i].granule)
            return false;
    }
    return true;
}

void pl_blocks_close(struct pl_blocks *b, uint32_t set)
{
    struct pl_blocks_set *s = &b->sets[set];
    struct pl_blocks_cell *c = b->cells + s->first;
    uint32_t kept = 0;

    PL_ASSERT(set > 0 && set + 1 == b->n_sets); /* only the last one is open */
    PL_ASSERT(s->first + s->n <= b->cells_max);
    sort(c, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        if (kept == 0 || c[kept - 1].granule != c[i].granule) {
            c[kept++] = c[i];
            continue;
        }
        c[kept - 1].read |= c[i].read;
        c[kept - 1].add |= c[i].add;
        c[kept - 1].written |= c[i].written;
    }
    PL_ASSERT(kept <= s->n);
    PL_CHECK(is_ascending(c, kept));
    s->n = kept;
    b->n_cells = s->first + kept;
}

void pl_blocks_merge(struct pl_blocks *b, uint32_t set)
{
    struct pl_blocks_set *to = &b->sets[set], *from = &b->sets[set + 1];

    PL_ASSERT(b->full || (set + 2 == b->n_sets && to->first + to->n == from->first));
    to->reads |= from->reads;
    to->adds |= from->adds;
    to->writes |= from->writes;
    to->cancels |= from->cancels;
    to->all |= from->all;
    to->visible |= from->visible;
    to->n += from->n;
    b->n_sets = set + 1;
    pl_blocks_close(b, set);
}

void pl_blocks_drop(struct pl_blocks *b, uint32_t set)
{
    PL_ASSERT(set > 0);
    if (set >= b->n_sets)
        return;
    b->n_cells = b->sets[set].first;
    b->n_sets = set;
}

static bool may_conflict(const struct pl_blocks_set *a, const struct pl_blocks_set *b)
{
    return ((a->writes & (b->reads | b->adds | b->writes)) | (b->writes & (a->reads | a->adds)) |
            (a->adds & (b->reads | b->adds)) | (a->reads & b->adds)) != 0;
}

/* Additions to the same bytes commute; those to different parts of a number may not. */
static bool cells_conflict(const struct pl_blocks_cell *a, const struct pl_blocks_cell *b)
{
    if (((a->written & (b->read | b->add | b->written)) | (b->written & (a->read | a->add)) |
         (a->add & b->read) | (a->read & b->add)) != 0)
        return true;
    return (a->add & b->add) != 0 && a->add != b->add;
}

bool pl_blocks_conflict(const struct pl_blocks *blocks, uint32_t one, uint32_t other)
{
    const struct pl_blocks_set *a = &blocks->sets[one], *b = &blocks->sets[other];
    const struct pl_blocks_cell *c = blocks->cells + a->first, *c_end = c + a->n;
    const struct pl_blocks_cell *d = blocks->cells + b->first, *d_end = d + b->n;

    PL_ASSERT(one < blocks->n_sets && other < blocks->n_sets);
    if ((a->n == 0 && !a->visible) || (b->n == 0 && !b->visible))
        return false;
    if (a->all || b->all || (a->cancels >> (b->tid & 63) & 1) != 0 ||
        (b->cancels >> (a->tid & 63) & 1) != 0)
        return true;
    if (!may_conflict(a, b))
        return false;
    while (c < c_end && d < d_end) {
        if (c->granule < d->granule)
            c++;
        else if (d->granule < c->granule)
            d++;
        else if (cells_conflict(c++, d++))
            return true;
    }
    return false;
}
