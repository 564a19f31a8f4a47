/* SPDX-License-Identifier: MIT */
/* See event_index.h. */
#include "engine/findings/event_index.h"

#include "base/assert.h"
#include "base/err.h"

#include <stdlib.h>

static uint64_t hash_of(uint64_t thread, uint32_t ordinal)
{
    return ((thread << 32 ^ thread >> 32 ^ ordinal) * UINT64_C(0x9e3779b97f4a7c15)) >> 20;
}

static uint64_t thread_of(const struct pl_event_index *index, const struct pl_event *e)
{
    return index->by_name ? e->op.name : e->op.tid;
}

void pl_event_index_open(struct pl_event_index *index, const struct pl_event *events, uint64_t n,
                         bool by_name)
{
    uint32_t size = 64;

    PL_ASSERT(n < UINT32_MAX / 4);
    while (size < 2 * n)
        size *= 2;
    *index = (struct pl_event_index){.events = events, .by_name = by_name};
    pl_table_start(&index->table, pl_err_must(calloc(PL_TABLE_ROOM(size, size), sizeof(uint64_t))),
                   size, size);
    for (uint32_t i = 0; i < n; i++)
        pl_table_add(&index->table, hash_of(thread_of(index, &events[i]), events[i].op.ordinal), i);
}

void pl_event_index_close(struct pl_event_index *index)
{
    free(index->table.memory);
    index->table = (struct pl_table){0};
}

const struct pl_event *pl_event_index_find(const struct pl_event_index *index, uint64_t thread,
                                           uint32_t ordinal)
{
    PL_TABLE_EACH(i, &index->table, hash_of(thread, ordinal))
    {
        const struct pl_event *e = &index->events[i];

        if (thread_of(index, e) == thread && e->op.ordinal == ordinal)
            return e;
    }
    return NULL;
}
