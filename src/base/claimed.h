/* SPDX-License-Identifier: MIT */
/*
 * The hash table for memory that several processes or threads use at once, without a lock.
 *
 * Entries lie in the table itself and begin with their key, a word of 64 bits; a free one has 0.
 * Keys are claimed with one compare-exchange and never change, so that any process may die at any
 * time, and an entry is at the same place for ever.  From the home of a key on so many entries are
 * looked at and no more: a table may be full for a key.  What has been there before is found with
 * loads alone.
 */
#ifndef PL_BASE_CLAIMED_H
#define PL_BASE_CLAIMED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PL_CLAIMED_PROBES = 64 };

/* Where the entries are. */
struct pl_claimed {
    const void *entries;
    uint32_t size;   /* of each */
    uint32_t mask;   /* how many there are, a power of two, minus 1 */
    uint32_t probes; /* that are made for a key */
    uint32_t spared; /* entries at the end that no key gets: they are the caller's */
    bool alone;      /* nobody else uses it now: a claim is a store */
};

/* For an array whose number of elements is a power of two. */
#define PL_CLAIMED(array)                                                            \
    ((struct pl_claimed){.entries = (const void *)(array),                           \
                         .size = sizeof((array)[0]),                                 \
                         .mask = (uint32_t)(sizeof(array) / sizeof((array)[0]) - 1), \
                         .probes = PL_CLAIMED_PROBES})

/* Number i from home on, round the end; NULL for one that is spared. */
static inline _Atomic uint64_t *pl_claimed_entry(struct pl_claimed t, uint64_t home, uint32_t i)
{
    uint32_t at = (uint32_t)(home + i) & t.mask;

    if (t.spared > 0 && at > t.mask - t.spared)
        return NULL;
    return (_Atomic uint64_t *)((uintptr_t)t.entries + (size_t)t.size * at);
}

/* The entry of the key; NULL when there is none, and then *full says that there cannot be one. */
static inline void *pl_claimed_look(struct pl_claimed t, uint64_t home, uint64_t key, bool *full)
{
    *full = false;
    for (uint32_t i = 0; i < t.probes; i++) {
        _Atomic uint64_t *entry = pl_claimed_entry(t, home, i);

        if (entry == NULL)
            continue;
        uint64_t found = atomic_load_explicit(entry, memory_order_relaxed);

        if (found == key)
            return entry;
        if (found == 0)
            return NULL;
    }
    *full = true;
    return NULL;
}

static inline void *pl_claimed_find(struct pl_claimed t, uint64_t home, uint64_t key)
{
    bool full;

    return pl_claimed_look(t, home, key, &full);
}

/* Whether the entry is the key's now; *fresh if this call has claimed it. */
static inline bool pl_claimed_claim(struct pl_claimed t, _Atomic uint64_t *entry, uint64_t key,
                                    bool *fresh)
{
    uint64_t found = atomic_load_explicit(entry, memory_order_relaxed);

    if (found != 0)
        return found == key;
    if (t.alone)
        atomic_store_explicit(entry, key, memory_order_relaxed);
    *fresh = t.alone || atomic_compare_exchange_strong(entry, &found, key);
    return *fresh || found == key;
}

/* The entry of the key, and *fresh if this call has claimed it; NULL when there is no room. */
static inline void *pl_claimed_place(struct pl_claimed t, uint64_t home, uint64_t key, bool *fresh)
{
    *fresh = false;
    for (uint32_t i = 0; i < t.probes; i++) {
        _Atomic uint64_t *entry = pl_claimed_entry(t, home, i);

        if (entry != NULL && pl_claimed_claim(t, entry, key, fresh))
            return entry;
    }
    return NULL;
}

#endif /* PL_BASE_CLAIMED_H */
