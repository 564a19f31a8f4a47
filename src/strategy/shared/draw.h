/* SPDX-License-Identifier: MIT */
/*
 * Random quantities without libm.  Logarithm and power are good to one percent, which
 * is far better than what they are for: nobody can tell by an event or a microsecond when a
 * thread was disturbed.
 */
#ifndef PL_STRATEGY_SHARED_DRAW_H
#define PL_STRATEGY_SHARED_DRAW_H

#include "base/assert.h"
#include "base/rng.h"

#include <stdbool.h>

/* 2 to the power of x, for x from -60 to 60. */
static inline double pl_draw_power(double x)
{
    PL_ASSERT(x > -61 && x < 61);
    int whole = (int)x - (x < (double)(int)x);
    double part = x - whole;
    double base = 1 + part * (0.6565 + 0.3435 * part);

    return whole >= 0 ? base * (double)(UINT64_C(1) << whole)
                      : base / (double)(UINT64_C(1) << -whole);
}

/* Uniform in [0, 1). */
static inline double pl_draw_share(uint64_t *rng)
{
    return (double)(pl_rng_next(rng) >> 11) / (double)(UINT64_C(1) << 53);
}

static inline bool pl_draw_percent(uint64_t *rng, uint32_t percent)
{
    return pl_rng_below(rng, 100) < percent;
}

/* The natural logarithm of 2^64 / x, x > 0. */
static inline double pl_draw_logarithm(uint64_t x)
{
    PL_ASSERT(x > 0);
    unsigned zeros = (unsigned)__builtin_clzll(x);
    double part = (double)((x << zeros) & INT64_MAX) / (double)(UINT64_C(1) << 63);
    double log2 = part * (1.3465 - 0.3465 * part); /* of 1 + part */

    return 0.693147 * (zeros + 1 - log2);
}

/* Exponentially distributed with mean 1. */
static inline double pl_draw_exponential(uint64_t *rng)
{
    return pl_draw_logarithm(pl_rng_next(rng) | 1);
}

/* Between 2^low and 2^high, each factor of two equally likely. */
static inline double pl_draw_wide(uint64_t *rng, double low, double high)
{
    return pl_draw_power(low + (high - low) * pl_draw_share(rng));
}

#endif /* PL_STRATEGY_SHARED_DRAW_H */
