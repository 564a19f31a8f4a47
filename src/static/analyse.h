/* SPDX-License-Identifier: MIT */
/* All analyses of a program, one after the other, and the table that comes of it. */
#ifndef PL_STATIC_ANALYSE_H
#define PL_STATIC_ANALYSE_H

#include "static/fixed.h"
#include "static/matched.h"
#include "static/name.h"
#include "static/rows.h"

struct pl_analysis {
    struct pl_ir ir;
    struct pl_flow flow;
    struct pl_threads threads;
    struct pl_locks locks;
    struct pl_conflicts conflicts;
    struct pl_rows rows;
    struct pl_fixed_place *fixed; /* by number of a call, or NULL */
    struct pl_names *names;
    uint32_t milliseconds;
    bool apart; /* leave sites of copies and of lines as they are: they are to be asked about */
};

/* What is loaded; -1 with a sentence. */
int pl_analyse(struct pl_analysis *a, uint64_t limit, struct pl_err *err);

/* To be freed. */
struct pl_pair_table *pl_analyse_table(struct pl_analysis *a);

#endif /* PL_STATIC_ANALYSE_H */
