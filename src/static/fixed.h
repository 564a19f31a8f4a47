/* SPDX-License-Identifier: MIT */
/*
 * Statements whose address is settled when their thread begins (Chen's constant fields, Fig. 6.15):
 * it is computed from constants, from what the thread was handed, and from memory that nobody
 * changes while the thread is there.  If such a thread is once at another object than a second
 * one, it always is.
 *
 * The address is a *base*, which is such a computation, and an offset.  Statements with the same
 * base have, in one thread, addresses that differ by their offsets, for as long as it lives.
 */
#ifndef PL_STATIC_FIXED_H
#define PL_STATIC_FIXED_H

#include "static/conflicts.h"

struct pl_fixed_place {
    uint32_t base; /* PL_IR_NONE: it is not settled */
    int32_t offset;
};

/* By the number of the call; to be freed.  NULL: nothing is settled. */
struct pl_fixed_place *pl_fixed_find(const struct pl_conflicts *c);

#endif /* PL_STATIC_FIXED_H */
