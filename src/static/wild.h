/* SPDX-License-Identifier: MIT */
/*
 * Objects of which nobody knows who touches them, or when: unknown code has them, code without
 * hooks touches them, or what may interrupt a thread does.  What sites say about such an object is
 * not all that happens to it.
 */
#ifndef PL_STATIC_WILD_H
#define PL_STATIC_WILD_H

#include "static/conflicts.h"

/* Mark them, by object; and, by function, what may be called at any time. */
void pl_wild_find(const struct pl_conflicts *c, bool *objects, bool *functions);

/* Mark the objects that a call may touch. */
void pl_wild_mark(const struct pl_flow *f, uint32_t call, bool *objects);

#endif /* PL_STATIC_WILD_H */
