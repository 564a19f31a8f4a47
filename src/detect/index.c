/* SPDX-License-Identifier: MIT */
/* See index.h. */
#include "detect/index.h"

#include "detect/host.h"

enum { GROWTH = 4 };

bool pl_index_start(struct pl_table *t, uint32_t capacity, bool near)
{
    uint64_t *memory = pl_host_allocate(PL_TABLE_ROOM(capacity, capacity) * sizeof(*memory));

    if (memory == NULL)
        return false;
    if (near)
        pl_table_start_near(t, memory, capacity, capacity);
    else
        pl_table_start(t, memory, capacity, capacity);
    return true;
}

/* Without memory it stays as it is, and looks take longer. */
static void grow(struct pl_table *t)
{
    uint32_t capacity = t->capacity * GROWTH;
    uint64_t *memory = NULL;

    if (capacity > t->capacity)
        memory = pl_host_allocate(PL_TABLE_ROOM(capacity, capacity) * sizeof(*memory));
    if (memory != NULL)
        pl_table_move(t, memory, capacity);
}

bool pl_index_add(struct pl_table *t, uint64_t hash, uint32_t number)
{
    if (t->n >= t->capacity / 2)
        grow(t);
    return pl_table_add(t, hash, number);
}
