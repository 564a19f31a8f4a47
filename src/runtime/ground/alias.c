/* SPDX-License-Identifier: MIT */
/*
 * Mappings of shared memory, in the order in which they were made, and what follows from them:
 * which addresses stand for which others.  There are few, so lists will do.
 */
#include "runtime/ground/alias.h"

#include "base/assert.h"

uint64_t pl_alias_find(uint64_t addr)
{
    const struct pl_aliases *a = &pl_stage->aliases;

    for (unsigned i = 0; i < a->n; i++) {
        if (addr - a->aliases[i].start < a->aliases[i].size)
            return addr - a->aliases[i].start + a->aliases[i].to;
    }
    return addr;
}

/* The part of `later` that `earlier` shows as well. */
static void compare(const struct pl_mapping *earlier, const struct pl_mapping *later)
{
    struct pl_aliases *a = &pl_stage->aliases;
    uint64_t from = earlier->offset > later->offset ? earlier->offset : later->offset;
    uint64_t earlier_end = earlier->offset + earlier->size;
    uint64_t later_end = later->offset + later->size;
    uint64_t to = earlier_end < later_end ? earlier_end : later_end;

    if (earlier->device != later->device || earlier->file != later->file || from >= to ||
        a->n == PL_ALIASES)
        return;
    a->aliases[a->n++] = (struct pl_alias){.start = later->start + (from - later->offset),
                                           .size = to - from,
                                           .to = earlier->start + (from - earlier->offset)};
}

/* Where several are earlier, the first of them comes first. */
static void find_aliases(void)
{
    struct pl_aliases *a = &pl_stage->aliases;

    a->n = 0;
    for (unsigned i = 1; i < a->n_mappings; i++) {
        for (unsigned k = 0; k < i; k++)
            compare(&a->mappings[k], &a->mappings[i]);
    }
}

static void remove(unsigned i)
{
    struct pl_aliases *a = &pl_stage->aliases;

    a->n_mappings--;
    for (; i < a->n_mappings; i++)
        a->mappings[i] = a->mappings[i + 1];
}

static void add(struct pl_mapping m)
{
    struct pl_aliases *a = &pl_stage->aliases;

    if (m.size > 0 && a->n_mappings < PL_MAPPINGS)
        a->mappings[a->n_mappings++] = m;
}

/* What is left of a mapping on both sides of a hole. */
static void cut(unsigned i, uint64_t start, uint64_t end)
{
    struct pl_mapping *m = &pl_stage->aliases.mappings[i], rest = *m;
    uint64_t m_end = m->start + m->size;

    if (end < m_end) {
        rest.start = end;
        rest.offset += end - m->start;
        rest.size = m_end - end;
        add(rest);
    }
    if (start > m->start)
        m->size = start - m->start;
    else
        remove(i);
}

void pl_alias_unmap(uint64_t start, uint64_t size)
{
    struct pl_aliases *a = &pl_stage->aliases;
    bool changed = false;

    for (unsigned i = a->n_mappings; i-- > 0;) {
        if (a->mappings[i].start < start + size &&
            start < a->mappings[i].start + a->mappings[i].size) {
            cut(i, start, start + size);
            changed = true;
        }
    }
    if (changed)
        find_aliases();
}

void pl_alias_map(struct pl_mapping mapping)
{
    PL_ASSERT(mapping.size > 0);
    pl_alias_unmap(mapping.start, mapping.size);
    add(mapping);
    find_aliases();
}

static bool shows_same(const struct pl_mapping *a, const struct pl_mapping *b)
{
    return a->device == b->device && a->file == b->file && a->offset < b->offset + b->size &&
           b->offset < a->offset + a->size;
}

bool pl_alias_ends(uint64_t start, uint64_t size)
{
    struct pl_aliases *a = &pl_stage->aliases;
    bool shown = false;

    for (unsigned i = 0; i < a->n_mappings; i++) {
        const struct pl_mapping *m = &a->mappings[i];

        if (m->start >= start + size || start >= m->start + m->size)
            continue;
        if (a->n_ended < PL_ENDED)
            a->ended[a->n_ended] = (struct pl_ended){*m, pl_thread_self()->id};
        a->n_ended++;
        for (unsigned k = i + 1; k < a->n_mappings; k++)
            shown |= shows_same(m, &a->mappings[k]) && pl_alias_find(m->start) == m->start;
    }
    return shown;
}

bool pl_alias_had(const struct pl_mapping *mapping)
{
    const struct pl_aliases *a = &pl_stage->aliases;

    for (unsigned i = 0; i < a->n_ended && i < PL_ENDED; i++) {
        if (a->ended[i].by != pl_thread_self()->id && shows_same(&a->ended[i].what, mapping))
            return true;
    }
    return a->n_ended > PL_ENDED;
}

struct pl_mapping pl_alias_mapping(uint64_t addr)
{
    const struct pl_aliases *a = &pl_stage->aliases;

    for (unsigned i = 0; i < a->n_mappings; i++) {
        if (addr - a->mappings[i].start < a->mappings[i].size)
            return a->mappings[i];
    }
    return (struct pl_mapping){0};
}
