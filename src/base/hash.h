/* SPDX-License-Identifier: MIT */
/* Mixing of 64-bit words: not cryptographic, the same on every machine. */
#ifndef PL_BASE_HASH_H
#define PL_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t pl_hash_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static inline uint64_t pl_hash_add(uint64_t h, uint64_t x)
{
    return pl_hash_mix(h ^ (x + UINT64_C(0x9e3779b97f4a7c15) + (h << 6) + (h >> 2)));
}

/* With one multiplication: for values that are compared, not used as an index. */
static inline uint64_t pl_hash_quick(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0x9fb21c651e98df25);
    return h ^ (h >> 32);
}

/*
 * Neighbours in groups of 64 stay neighbours, so that a walk through memory is one through the
 * table as well.  Where a group has its place, and where it begins there, says nothing of its
 * number.
 */
static inline uint64_t pl_hash_near(uint64_t x)
{
    uint64_t group = (x >> 6) * UINT64_C(0x9e3779b97f4a7c15) >> 26;

    return group >> 6 << 6 | ((x + group) & 63);
}

/* Whole words only; what is left over at the end is ignored. */
static inline uint64_t pl_hash_words(uint64_t h, const uint64_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * UINT64_C(0x9fb21c651e98df25) + (h >> 29);
    return pl_hash_mix(h);
}

static inline uint64_t pl_hash_text(const char *s)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (; *s != '\0'; s++)
        h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    return h;
}

#endif /* PL_BASE_HASH_H */
