/* SPDX-License-Identifier: MIT */
/*
 * Branches of wakeup trees that are explored for a purpose, and some of them later than others.
 *
 * The papers know no such thing: a wakeup tree is explored from its first branch to its last.  A
 * guided search has a goal for each sequence that it inserts, with a rank, which says when its turn
 * is.  Those up to the rank of the pool are wanted.  Without a guide all goals and ranks are 0.
 */
#ifndef PL_STRATEGY_DPOR_WAKEUP_LATER_H
#define PL_STRATEGY_DPOR_WAKEUP_LATER_H

#include "strategy/dpor/wakeup.h"

/* A goal is a number that is the guide's own, and above it the rank. */
enum { PL_WAKEUP_LAST = 3, PL_WAKEUP_RANKS = 4, PL_WAKEUP_RANK_SHIFT = 30 };
#define PL_WAKEUP_GOAL (UINT32_MAX >> 2)
/* For nothing in particular: when nothing else is left. */
#define PL_WAKEUP_LATER UINT32_MAX

static inline uint32_t pl_wakeup_ranked(uint32_t goal, unsigned rank)
{
    return goal | (uint32_t)rank << PL_WAKEUP_RANK_SHIFT;
}

static inline unsigned pl_wakeup_rank(uint32_t goal)
{
    return goal >> PL_WAKEUP_RANK_SHIFT;
}

/*
 * A leaf covers what was to be inserted, of which n records are left.  If it is not wanted yet and
 * what is inserted is sooner, the rest goes behind it, or, if there is none, it takes the goal:
 * true.
 */
bool pl_wakeup_later_claim(struct pl_wakeup_pool *w, struct pl_wakeup_node *leaf, const uint32_t *v,
                           uint32_t n);
/* The tree has what was to be inserted, and more: the same for one of those that go on from there.
 */
bool pl_wakeup_later_claim_one(struct pl_wakeup_pool *w, uint32_t node);

/*
 * The branch of the tree with the first sequence that is wanted, and in *leaf where that ends;
 * 0: there is none.
 */
uint32_t pl_wakeup_later_wanted(const struct pl_wakeup_pool *w, uint32_t root, uint32_t *stack,
                                uint32_t *leaf);
/* The lowest rank that is in the tree; PL_WAKEUP_RANKS if it is empty. */
unsigned pl_wakeup_later_least(const struct pl_wakeup_pool *w, uint32_t root, uint32_t *stack);
/* Whether the pool is no more than half full. */
bool pl_wakeup_later_roomy(const struct pl_wakeup_pool *w);

/*
 * Move a branch of the tree to the front.  Those before it, as the sequences they are made of, are
 * inserted again; so one that the branch is a weak initial of is behind it, or covered by it.
 * Two arrays for sequences are used up.
 */
void pl_wakeup_later_prefer(struct pl_wakeup_pool *w, const struct pl_past *p, uint32_t *root,
                            uint32_t branch, uint32_t *stack, uint32_t *v);

#endif /* PL_STRATEGY_DPOR_WAKEUP_LATER_H */
