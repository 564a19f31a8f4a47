/* SPDX-License-Identifier: MIT */
/*
 * How coverage grew: tasks of each model over executions.
 *
 * Campaigns stand one after the other in the order of their beginnings, whichever files
 * they come from.  A task counts from the execution that showed it first, so the curve of merged
 * sets is that of one long campaign which had gone through all of them.
 */
#ifndef PL_REPORT_COVERAGE_GROWTH_H
#define PL_REPORT_COVERAGE_GROWTH_H

#include "trace/covered.h"

#include <stdbool.h>
#include <stdio.h>

/* Execution `at` was the first to show something; so much was covered after it. */
struct pl_growth_point {
    uint64_t at;
    uint64_t covered[PL_COVERED_MODELS];
};

struct pl_growth {
    uint64_t executions;
    size_t n;
    struct pl_growth_point *points; /* ascending */
    size_t n_campaigns;
    uint64_t *starts; /* executions before each campaign, ascending */
};

void pl_growth_make(struct pl_growth *growth, const struct pl_covered *covered);
void pl_growth_free(struct pl_growth *growth);

/* What was covered after so many executions; all zero before the first. */
struct pl_growth_point pl_growth_at(const struct pl_growth *growth, uint64_t executions);

/* The execution that showed a task of the model last; 0 when there is none. */
uint64_t pl_growth_last(const struct pl_growth *growth, unsigned model);

/* The first execution after which at least so much of the model was covered; 0: never. */
uint64_t pl_growth_reached(const struct pl_growth *growth, unsigned model, uint64_t covered);

/*
 * The axis of executions has `width` columns from 0 on.  It is logarithmic when there are
 * many: most is covered by the first few.
 */
bool pl_growth_is_log(const struct pl_growth *growth);
uint64_t pl_growth_executions(const struct pl_growth *growth, unsigned column, unsigned width);
unsigned pl_growth_column(const struct pl_growth *growth, uint64_t execution, unsigned width);

/* Draw it for a terminal that has so many columns, with block characters or in ASCII. */
void pl_growth_print(FILE *to, const struct pl_growth *growth, unsigned width, bool unicode);

#endif /* PL_REPORT_COVERAGE_GROWTH_H */
