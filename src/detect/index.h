/* SPDX-License-Identifier: MIT */
/*
 * Hash tables (base/table.h) in memory of the host, which grow as they must, and numbers for what
 * lies there.
 *
 * A table is small at first, so that an execution that has little in it changes few pages.  The
 * memory that it leaves when it grows is lost; it is a third of what it has.
 */
#ifndef PL_DETECT_INDEX_H
#define PL_DETECT_INDEX_H

#include "base/table.h"

/* False when there is no memory.  `near`: see pl_table_start_near(). */
bool pl_index_start(struct pl_table *t, uint32_t capacity, bool near);
/* Put in a number; false when there is no room for it. */
bool pl_index_add(struct pl_table *t, uint64_t hash, uint32_t number);

enum { PL_INDEX_UNIT = 16 }; /* the host's memory is aligned to that */

/* The number of memory of the host that came after `base`, and the memory of a number. */
static inline uint32_t pl_index_number(const void *base, const void *memory)
{
    uint64_t distance = (uintptr_t)memory - (uintptr_t)base;

    PL_ASSERT(memory > base && distance % PL_INDEX_UNIT == 0);
    PL_ASSERT(distance / PL_INDEX_UNIT < UINT32_MAX);
    return (uint32_t)(distance / PL_INDEX_UNIT);
}

static inline void *pl_index_memory(const void *base, uint32_t number)
{
    return (void *)((uintptr_t)base + (uint64_t)number * PL_INDEX_UNIT);
}

#endif /* PL_DETECT_INDEX_H */
