/* SPDX-License-Identifier: MIT */
/*
 * How long executions of free-running threads took, what noise has cost, and how many threads there
 * were.
 */
#ifndef PL_MODEL_TIMES_H
#define PL_MODEL_TIMES_H

#include <stdint.h>

enum { PL_TIMES_ALIVE = 32 };

/* Of executions that ended by themselves. */
struct pl_times {
    uint64_t n_quiet, n_disturbed;
    uint64_t quiet_ns, disturbed_ns; /* all together */
    /* Executions by how many threads were alive at a time, at most; the last one: or more. */
    uint64_t alive[PL_TIMES_ALIVE + 1];
};

/* How many times longer disturbed ones took, on average; 0 when there is nothing to compare. */
static inline double pl_times_cost(const struct pl_times *t)
{
    if (t->n_quiet == 0 || t->n_disturbed == 0 || t->quiet_ns == 0)
        return 0;
    return (double)t->disturbed_ns / (double)t->n_disturbed /
           ((double)t->quiet_ns / (double)t->n_quiet);
}

#endif /* PL_MODEL_TIMES_H */
