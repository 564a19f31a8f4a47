/* SPDX-License-Identifier: MIT */
/*
 * Open hash tables in shared memory.  An entry begins with its key; a free one has 0.
 * Keys are claimed with one compare-exchange and never change, so that any process may die
 * at any time.  There are so many probes and no more: a table may be full for a key.
 */
#ifndef PL_MODEL_CLAIMED_H
#define PL_MODEL_CLAIMED_H

#include "base/hash.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { PL_CLAIMED_PROBES = 64 };

static inline _Atomic uint64_t *pl_claimed_entry(const void *table, size_t size, uint32_t at)
{
    return (_Atomic uint64_t *)((uintptr_t)table + size * at);
}

/* The entry of the key in a table of n entries of that size; NULL when there is none. */
static inline void *pl_claimed_find(const void *table, size_t size, uint32_t n, uint64_t key)
{
    uint32_t at = (uint32_t)(pl_hash_mix(key) % n);

    for (unsigned i = 0; i < PL_CLAIMED_PROBES; i++, at = (at + 1) % n) {
        _Atomic uint64_t *entry = pl_claimed_entry(table, size, at);
        uint64_t found = atomic_load_explicit(entry, memory_order_relaxed);

        if (found == key)
            return entry;
        if (found == 0)
            break;
    }
    return NULL;
}

/* The same, and it is new if need be; NULL when there is no room. */
static inline void *pl_claimed_place(void *table, size_t size, uint32_t n, uint64_t key)
{
    uint32_t at = (uint32_t)(pl_hash_mix(key) % n);

    for (unsigned i = 0; i < PL_CLAIMED_PROBES; i++, at = (at + 1) % n) {
        _Atomic uint64_t *entry = pl_claimed_entry(table, size, at);
        uint64_t found = atomic_load_explicit(entry, memory_order_relaxed);

        if (found == 0 && atomic_compare_exchange_strong(entry, &found, key))
            found = key;
        if (found == key)
            return entry;
    }
    return NULL;
}

#endif /* PL_MODEL_CLAIMED_H */
