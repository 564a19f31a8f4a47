/* SPDX-License-Identifier: MIT */
/*
 * What the campaigns of a results folder have come to for the orders of static pairs: what the
 * strategy `values` has left there, and what executions of any strategy have shown.
 */
#ifndef PL_ENGINE_COVERAGE_COVER_PAIRS_H
#define PL_ENGINE_COVERAGE_COVER_PAIRS_H

#include "model/pair.h"
#include "trace/known.h"

#include <limits.h>

/* A folder in which there is nothing about it adds nothing; -1 with a sentence. */
int pl_cover_pairs_read(struct pl_known *known, const struct pl_pair_table *t, const char *folder,
                        struct pl_err *err);

#endif /* PL_ENGINE_COVERAGE_COVER_PAIRS_H */
