/* SPDX-License-Identifier: MIT */
/*
 * Hash tables whose entries lie in the table itself, each at one place for ever.  They are for
 * memory that several processes or threads use at once, without a lock, and for what one process
 * leaves to the next when it dies.
 *
 * An entry begins with its key, a word of 64 bits; a free one has 0.  Keys are claimed with one
 * compare-exchange and never change, so that any process may die at any time.  From the home of a
 * key on so many entries are looked at and no more: a table may be full for a key.  What has been
 * there before is found with loads alone.
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

/* An array whose number of elements is a power of two. */
#define PL_CLAIMED(array)                                                            \
    ((struct pl_claimed){.entries = (const void *)(array),                           \
                         .size = sizeof((array)[0]),                                 \
                         .mask = (uint32_t)(sizeof(array) / sizeof((array)[0]) - 1), \
                         .probes = PL_CLAIMED_PROBES})

/* The same for one process at a time, and a key may be anywhere. */
#define PL_CLAIMED_ALONE(array)                                                      \
    ((struct pl_claimed){.entries = (const void *)(array),                           \
                         .size = sizeof((array)[0]),                                 \
                         .mask = (uint32_t)(sizeof(array) / sizeof((array)[0]) - 1), \
                         .probes = (uint32_t)(sizeof(array) / sizeof((array)[0])),   \
                         .alone = true})

/* Number i from home on, round the end; NULL for one that is spared. */
static inline void *pl_claimed_entry(struct pl_claimed t, uint64_t home, uint32_t i)
{
    uint32_t at = (uint32_t)(home + i) & t.mask;

    if (t.spared > 0 && at > t.mask - t.spared)
        return NULL;
    return (void *)((uintptr_t)t.entries + (size_t)t.size * at);
}

static inline uint64_t pl_claimed_key(const void *entry)
{
    return atomic_load_explicit((const _Atomic uint64_t *)entry, memory_order_relaxed);
}

/* The entry of the key, or else the free one that it would get; NULL when there is neither. */
static inline void *pl_claimed_slot(struct pl_claimed t, uint64_t home, uint64_t key)
{
    for (uint32_t i = 0; i < t.probes; i++) {
        void *entry = pl_claimed_entry(t, home, i);
        uint64_t found = entry != NULL ? pl_claimed_key(entry) : 0;

        if (entry != NULL && (found == key || found == 0))
            return entry;
    }
    return NULL;
}

/* The entry of the key; NULL when it has none. */
static inline void *pl_claimed_find(struct pl_claimed t, uint64_t home, uint64_t key)
{
    void *entry = pl_claimed_slot(t, home, key);

    return entry != NULL && pl_claimed_key(entry) == key ? entry : NULL;
}

/* Claim a free entry.  What its key was then: 0 if this call was the one. */
static inline uint64_t pl_claimed_claim(struct pl_claimed t, void *entry, uint64_t key)
{
    uint64_t found = 0;

    if (t.alone)
        atomic_store_explicit((_Atomic uint64_t *)entry, key, memory_order_relaxed);
    else
        atomic_compare_exchange_strong((_Atomic uint64_t *)entry, &found, key);
    return found;
}

/* The entry of the key, and *fresh if this call has claimed it; NULL when there is no room. */
static inline void *pl_claimed_place(struct pl_claimed t, uint64_t home, uint64_t key, bool *fresh)
{
    *fresh = false;
    for (uint32_t i = 0; i < t.probes; i++) {
        void *entry = pl_claimed_entry(t, home, i);
        uint64_t found = entry != NULL ? pl_claimed_key(entry) : UINT64_MAX;

        if (found == 0) {
            found = pl_claimed_claim(t, entry, key);
            *fresh = found == 0;
            if (*fresh)
                return entry;
        }
        if (found == key && entry != NULL)
            return entry;
    }
    return NULL;
}

#endif /* PL_BASE_CLAIMED_H */
