/* SPDX-License-Identifier: MIT */
/*
 * Programs that gcc made: what clang makes of the same source is analysed, and found again in gcc's
 * machine code by places in the source.
 *
 * The two compilers leave out and copy different accesses, and columns differ, so lines are all
 * that can be relied on: all accesses to memory at one line are one site here, all atomic
 * operations, and all calls of one function.  Conflicts are found call by call before that, so
 * merging makes statements coarser and loses no pair.
 */
#ifndef PL_STATIC_MATCHED_H
#define PL_STATIC_MATCHED_H

#include "static/conflicts.h"
#include "static/name.h"

struct pl_matched_place {
    uint64_t pc;
    uint32_t module, site;
};

struct pl_matched {
    struct pl_matched_place *places;
    uint32_t n, room;
    uint32_t n_lost; /* calls in the machine code at lines where there is no such site */
};

/* Make the sites of each line one. */
void pl_matched_merge(struct pl_conflicts *c, struct pl_names *names);

/* Where they are in the machine code. */
void pl_matched_find(struct pl_matched *m, const struct pl_conflicts *c, struct pl_names *names);

#endif /* PL_STATIC_MATCHED_H */
