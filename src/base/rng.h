/* SPDX-License-Identifier: MIT */
/* A small random number generator (splitmix64 steps): one word of state, equal everywhere. */
#ifndef PL_BASE_RNG_H
#define PL_BASE_RNG_H

#include "base/hash.h"

static inline uint64_t pl_rng_next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return pl_hash_mix(*state);
}

/* Uniform in 0..n-1, n > 0; the bias of the multiplication is below n / 2^64. */
static inline uint32_t pl_rng_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(((unsigned __int128)pl_rng_next(state) * n) >> 64);
}

#endif /* PL_BASE_RNG_H */
