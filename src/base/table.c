/* SPDX-License-Identifier: MIT */
/*
 * See table.h: what happens seldom.
 *
 * Words outside of the slots in use are 0.  From the slot that a hash has first to the one that it
 * is in, none is free.
 */
#include "base/table.h"

#include "base/memory.h"

/* Put in a slot as it is. */
static void place(struct pl_table *t, uint64_t slot)
{
    uint32_t at = (uint32_t)(slot >> 32), mask = t->capacity - 1;

    while (t->slots[at & mask] != 0)
        at += t->stride;
    t->slots[at & mask] = slot;
}

/* Whether as many slots are in use as it says, and each is found from where its hash begins. */
static inline bool is_sound(const struct pl_table *t)
{
    uint32_t n = 0, mask = t->capacity - 1;

    for (uint32_t i = 0; i < t->capacity; i++) {
        uint32_t at = (uint32_t)(t->slots[i] >> 32);

        n += t->slots[i] != 0;
        while (t->slots[i] != 0 && (at & mask) != i && t->slots[at & mask] != 0)
            at += t->stride;
        if (t->slots[i] != 0 && (at & mask) != i)
            return false;
    }
    return n == t->n;
}

/*
 * The slots are elsewhere now, and the old ones become free.  Begin behind a free one: then those
 * of equal hash come in the order in which they were added.
 */
static void carry_over(struct pl_table *t, uint64_t *old, uint32_t n)
{
    uint32_t mask = n - 1, at = 0;

    while (old[at & mask] != 0)
        at += t->stride;
    for (uint32_t i = 0; i < n; i++, at += t->stride) {
        if (old[at & mask] == 0)
            continue;
        place(t, old[at & mask]);
        old[at & mask] = 0;
    }
    PL_CHECK(is_sound(t));
}

void pl_table_grow(struct pl_table *t)
{
    uint64_t *old = t->slots;
    uint32_t n = t->capacity;

    if (n == t->most)
        return;
    PL_ASSERT(n < t->most && t->n < n);
    t->slots += n;
    t->capacity = 2 * n;
    PL_ASSERT(t->slots == t->memory + (t->capacity - t->first));
    carry_over(t, old, n);
}

void pl_table_move(struct pl_table *t, uint64_t *memory, uint32_t capacity)
{
    uint64_t *old = t->slots;
    uint32_t n = t->capacity;

    PL_ASSERT(memory != NULL && capacity > t->n && (capacity & (capacity - 1)) == 0);
    t->slots = t->memory = memory;
    t->capacity = t->first = t->most = capacity;
    carry_over(t, old, n);
}

/* What stands behind it without a free slot between them may have wanted its slot. */
void pl_table_remove(struct pl_table *t, uint64_t hash, uint32_t index)
{
    uint64_t *slots = t->slots, wanted = hash << 32 | (index + 1);
    uint32_t at = (uint32_t)hash, mask = t->capacity - 1;

    while (slots[at & mask] != wanted) {
        PL_ASSERT(slots[at & mask] != 0);
        at += t->stride;
    }
    PL_ASSERT(t->n > 0);
    slots[at & mask] = 0;
    t->n--;
    for (at += t->stride; slots[at & mask] != 0; at += t->stride) {
        uint64_t slot = slots[at & mask];

        slots[at & mask] = 0;
        place(t, slot);
    }
    PL_CHECK(is_sound(t));
}

/* With all that came before the slots in use: a process may have died while it carried them over.
 */
void pl_table_clear(struct pl_table *t)
{
    if (t->n > 0)
        pl_memory_fill(t->memory, 0,
                       (size_t)(t->slots + t->capacity - t->memory) * sizeof(*t->memory));
    t->slots = t->memory;
    t->capacity = t->first;
    t->n = 0;
}
