/* SPDX-License-Identifier: MIT */
/* See event_index.h.  A hash table with open addressing, at most half full. */
#include "engine/findings/event_index.h"

#include "base/assert.h"

#include <stdlib.h>

static uint64_t mix(uint64_t thread, uint32_t ordinal)
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
    uint64_t size = 64;

    while (size < 2 * n)
        size *= 2;
    *index = (struct pl_event_index){events, by_name, size - 1, calloc(size, sizeof(uint32_t))};
    PL_ASSERT(n < UINT32_MAX && (n == 0 || events != NULL));
    if (index->slots == NULL)
        abort();
    for (uint64_t i = 0; i < n; i++) {
        uint64_t h = mix(thread_of(index, &events[i]), events[i].op.ordinal) & index->mask;

        while (index->slots[h] != 0)
            h = (h + 1) & index->mask;
        index->slots[h] = (uint32_t)i + 1;
    }
}

void pl_event_index_close(struct pl_event_index *index)
{
    free(index->slots);
    index->slots = NULL;
}

const struct pl_event *pl_event_index_find(const struct pl_event_index *index, uint64_t thread,
                                           uint32_t ordinal)
{
    PL_ASSERT(index->slots != NULL && (index->mask & (index->mask + 1)) == 0);
    for (uint64_t h = mix(thread, ordinal) & index->mask; index->slots[h] != 0;
         h = (h + 1) & index->mask) {
        const struct pl_event *e = &index->events[index->slots[h] - 1];

        if (thread_of(index, e) == thread && e->op.ordinal == ordinal)
            return e;
    }
    return NULL;
}
