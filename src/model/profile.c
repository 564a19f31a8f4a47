/* SPDX-License-Identifier: MIT */
/* See profile.h. */
#include "model/profile.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"

void pl_profile_clear(struct pl_profile_draft *draft)
{
    if (draft->used)
        pl_memory_fill(draft->slots, 0, sizeof(draft->slots));
    draft->used = true;
    pl_table_start(&draft->table, draft->slots, PL_PROFILE_SLOTS, PL_PROFILE_SLOTS);
    draft->n_counts = 0;
    draft->steps = 0;
}

/* NULL when there is no room for another. */
static struct pl_profile_count *count_of(struct pl_profile_draft *d, pl_tid thread,
                                         uint64_t location)
{
    uint64_t hash = pl_hash_mix(location ^ thread);

    PL_TABLE_EACH(i, &d->table, hash)
    {
        if (d->counts[i].location == location && d->counts[i].thread == thread)
            return &d->counts[i];
    }
    PL_ASSERT(d->table.n == d->n_counts);
    if (d->n_counts == PL_PROFILE_COUNTS)
        return NULL;
    pl_table_add(&d->table, hash, d->n_counts);
    d->counts[d->n_counts] = (struct pl_profile_count){.location = location, .thread = thread};
    return &d->counts[d->n_counts++];
}

void pl_profile_add(struct pl_profile_draft *draft, const struct pl_operation *op)
{
    uint64_t first = pl_profile_location(op), extent = pl_profile_extent(op);

    PL_ASSERT(op->tid < PL_THREADS_MAX && extent > 0 && extent <= PL_PROFILE_LONGEST);
    draft->steps += !op->noted;
    if (!pl_profile_counts(op))
        return;
    for (uint64_t at = 0; at < extent; at += PL_PROFILE_GRANULE) {
        struct pl_profile_count *c = count_of(draft, op->tid, first + at);

        if (c == NULL)
            return;
        c->n++;
        c->writes |= pl_operation_effect(op->kind) != PL_EFFECT_READ;
    }
}

static bool is_before(const struct pl_profile_count *a, const struct pl_profile_count *b)
{
    return a->location != b->location ? a->location < b->location : a->thread < b->thread;
}

/* By location, then by thread (a shell sort: once per profile, and no memory of its own). */
static void sort(struct pl_profile_count *c, uint32_t n)
{
    for (uint32_t gap = n / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) {
        for (uint32_t i = gap; i < n; i++) {
            struct pl_profile_count moving = c[i];
            uint32_t at = i;

            for (; at >= gap && is_before(&moving, &c[at - gap]); at -= gap)
                c[at] = c[at - gap];
            c[at] = moving;
        }
    }
}

/* Whether each comes after the one before it, and none twice. */
static inline bool is_sorted(const struct pl_profile_count *c, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        if (!is_before(&c[i - 1], &c[i]))
            return false;
    }
    return true;
}

/* Take over the counts of one location, if threads meet there. */
static void take(struct pl_profile *p, const struct pl_profile_count *c, uint32_t n)
{
    bool written = false;

    for (uint32_t i = 0; i < n; i++)
        written |= c[i].writes;
    if (n < 2 || !written)
        return;
    PL_ASSERT(p->n_locations < PL_PROFILE_COUNTS && p->n_counts + n <= PL_PROFILE_COUNTS);
    p->locations[p->n_locations++] =
        (struct pl_profile_location){.location = c->location, .first = p->n_counts, .n = n};
    for (uint32_t i = 0; i < n; i++)
        p->counts[p->n_counts++] = c[i];
}

static void index_names(struct pl_profile *p)
{
    PL_ASSERT(p->n_threads <= PL_THREADS_MAX);
    pl_memory_fill(p->name_slots, 0, sizeof(p->name_slots));
    pl_table_start(&p->by_name, p->name_slots, PL_PROFILE_NAMES, PL_PROFILE_NAMES);
    for (uint32_t i = 0; i < p->n_threads; i++)
        pl_table_add(&p->by_name, p->threads[i].name, i);
}

void pl_profile_settle(struct pl_profile *p, struct pl_profile_draft *d)
{
    p->steps = d->steps;
    p->n_locations = p->n_counts = 0;
    PL_ASSERT(d->n_counts <= PL_PROFILE_COUNTS);
    sort(d->counts, d->n_counts);
    PL_CHECK(is_sorted(d->counts, d->n_counts));
    for (uint32_t first = 0, i = 1; i <= d->n_counts; i++) {
        if (i < d->n_counts && d->counts[i].location == d->counts[first].location)
            continue;
        take(p, &d->counts[first], i - first);
        first = i;
    }
    PL_ASSERT(p->n_counts >= 2 * p->n_locations && p->n_counts <= d->n_counts);
    index_names(p);
}

pl_tid pl_profile_thread(const struct pl_profile *p, uint64_t name)
{
    PL_TABLE_EACH(i, &p->by_name, name)
    {
        if (p->threads[i].name == name)
            return (pl_tid)i;
    }
    return PL_TID_NONE;
}
