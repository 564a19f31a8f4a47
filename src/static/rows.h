/* SPDX-License-Identifier: MIT */
/*
 * Which targets can still be reached from a call: before it, and once it has returned, within its
 * function and all that is called from there (model/pair.h).
 */
#ifndef PL_STATIC_ROWS_H
#define PL_STATIC_ROWS_H

#include "static/conflicts.h"

struct pl_rows {
    const struct pl_conflicts *conflicts;
    struct pl_ir *ir;
    uint32_t *target_of; /* by site, or PL_PAIR_NONE */
    uint32_t *targets;   /* sites */
    uint32_t n_targets;
    size_t words; /* of a row */
    uint64_t *rows;
    uint32_t n, room;
    uint32_t *slots; /* of rows by hash */
    size_t n_slots;
    uint32_t *at, *past; /* by call: rows, or PL_PAIR_NONE: everything */
    uint32_t *entries;   /* by function: from its beginning */
    bool coarse;         /* there are none: everything can be reached from everywhere */
};

void pl_rows_find(struct pl_rows *r, const struct pl_conflicts *conflicts);

#endif /* PL_STATIC_ROWS_H */
