/* SPDX-License-Identifier: MIT */
/*
 * The hash table: from a hash to the indices of entries that lie in an array of the caller.
 *
 * Entries lie densely, in the order in which they came, so that walking over them is walking over
 * an array; the table has a slot for each, found by open addressing.  A slot holds the index and
 * 32 bits of the hash, so that an entry with another hash is hardly ever touched, and a table
 * grows, shrinks and forgets without asking anybody for a hash again.
 *
 * Memory is the caller's: PL_TABLE_ROOM() words that are 0 at first.  A table begins with few
 * slots and doubles them when half of them are in use, so that one with few entries lies in few
 * pages: rollback copies what is used.  Each time the slots lie behind those that there were.
 *
 *     PL_TABLE_EACH(i, &table, hash)
 *     {
 *         if (entries[i].key == key)
 *             return &entries[i];
 *     }
 *     pl_table_add(&table, hash, n_entries++);
 *
 * One thread at a time; what several processes share is in base/claimed.h.
 */
#ifndef PL_BASE_TABLE_H
#define PL_BASE_TABLE_H

#include "base/assert.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words for a table that has so many slots at first and so many at last: powers of two. */
#define PL_TABLE_ROOM(first, most) (2 * (size_t)(most) - (first))

struct pl_table {
    uint64_t *slots;   /* hash in the upper half, index plus 1 in the lower; 0: free */
    uint32_t capacity; /* slots that there are now, a power of two */
    uint32_t stride;   /* from one slot that a hash may have to the next; odd */
    uint32_t n;        /* slots in use; always fewer than there are */
    uint32_t first, most;
    uint64_t *memory;
};

/*
 * A table in this memory, with `first` slots now and `most` when it is large; both are powers of
 * two.  It takes most - 1 entries, and looks are short up to half of that.
 */
static inline void pl_table_start(struct pl_table *t, uint64_t *memory, uint32_t first,
                                  uint32_t most)
{
    PL_ASSERT(memory != NULL && first > 1 && first <= most);
    PL_ASSERT((first & (first - 1)) == 0 && (most & (most - 1)) == 0);
    *t = (struct pl_table){.slots = memory,
                           .capacity = first,
                           .stride = 1,
                           .first = first,
                           .most = most,
                           .memory = memory};
}

/*
 * The same for hashes that are neighbours when their keys are (pl_hash_near()): two groups of
 * neighbours that meet make way for each other as a whole, and not slot by slot.
 */
static inline void pl_table_start_near(struct pl_table *t, uint64_t *memory, uint32_t first,
                                       uint32_t most)
{
    pl_table_start(t, memory, first, most);
    t->stride = 65;
}

/* Look on from *at, and move it behind what was found.  False: there is no more. */
static inline bool pl_table_next(const struct pl_table *t, uint64_t hash, uint32_t *at,
                                 uint32_t *index)
{
    uint32_t mask = t->capacity - 1, stride = t->stride;

    for (;;) {
        uint64_t slot = t->slots[*at & mask];

        *at += stride;
        if (slot == 0)
            return false;
        if (slot >> 32 == (uint32_t)hash) {
            *index = (uint32_t)slot - 1;
            return true;
        }
    }
}

/*
 * With i as the index of each entry that may be the one: those with the same lower half of the
 * hash, in the order in which they were added.
 */
#define PL_TABLE_EACH(i, table, hash)                                \
    for (uint32_t i, i##_hash = (uint32_t)(hash), i##_at = i##_hash; \
         pl_table_next(table, i##_hash, &i##_at, &i);)

/* Twice as many slots, unless there are as many as there may be. */
void pl_table_grow(struct pl_table *t);

/* Put in an index, which is not there.  False: there is no room. */
static inline bool pl_table_add(struct pl_table *t, uint64_t hash, uint32_t index)
{
    uint32_t at = (uint32_t)hash;

    PL_ASSERT(index < UINT32_MAX);
    if (t->n >= t->capacity / 2)
        pl_table_grow(t);
    if (t->n == t->capacity - 1)
        return false;
    uint32_t mask = t->capacity - 1;

    while (t->slots[at & mask] != 0)
        at += t->stride;
    t->slots[at & mask] = hash << 32 | (index + 1);
    t->n++;
    return true;
}

/* Take out an index that was added with this hash. */
void pl_table_remove(struct pl_table *t, uint64_t hash, uint32_t index);

/* Take out all; the time depends on how many there are. */
void pl_table_clear(struct pl_table *t);

/* Go on in other memory, which is 0, with so many slots; what was the table's is the caller's. */
void pl_table_move(struct pl_table *t, uint64_t *memory, uint32_t capacity);

#endif /* PL_BASE_TABLE_H */
