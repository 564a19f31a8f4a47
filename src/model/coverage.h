/* SPDX-License-Identifier: MIT */
/*
 * What a search that cannot see everything has seen: for the strategy that
 * plans by it and for the report that states it.
 */
#ifndef PL_MODEL_COVERAGE_H
#define PL_MODEL_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

/* The equivalence classes of the executions so far; see runtime/seen.c. */
struct pl_seen {
    uint64_t classes;
    uint64_t once, twice; /* those of them that one sample showed, that two did */
    bool fresh;           /* the last execution was the first of its class */
};

/* Pairs of places in the program whose operations conflict. */
struct pl_pair_counts {
    uint32_t both, one; /* seen in both orders, in one only */
    bool full;          /* there are more than could be remembered */
};

/* What a strategy that also samples says about itself. */
struct pl_coverage {
    bool known; /* it does */
    struct pl_pair_counts pairs;
    uint64_t searched; /* executions of the exhaustive search since it last started over */
    bool stopped;      /* that search had to be given up */
};

#endif /* PL_MODEL_COVERAGE_H */
