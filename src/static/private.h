/* SPDX-License-Identifier: MIT */
/*
 * Hooks that nobody needs: those before accesses that no other thread can meet, whatever it does.
 *
 * A hook is also what use after free, accesses beyond a block and loops that wait are found by, so
 * one goes only if none of them needs it, either: see private.c for what has to be proven.
 */
#ifndef PL_STATIC_PRIVATE_H
#define PL_STATIC_PRIVATE_H

#include "static/conflicts.h"

struct pl_private {
    bool *off;               /* by call: the hook is not needed */
    uint32_t n_hooks, n_off; /* before plain accesses; of them */
};

void pl_private_find(struct pl_private *p, const struct pl_conflicts *c);

#endif /* PL_STATIC_PRIVATE_H */
