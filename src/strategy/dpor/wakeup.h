/* SPDX-License-Identifier: MIT */
/*
 * Wakeup trees: the beginnings of executions that are still to be explored from
 * a state (Abdulla, Aronsson, Jonsson, Sagonas: Optimal dynamic partial order
 * reduction, 2014/2017).
 *
 * A tree is the list of its branches, in the order of exploration.  A sequence is
 * inserted only if it begins something that no branch leads to: going down, a
 * branch that the sequence can begin with, or that it does not mind, is
 * followed; a branch that ends there covers the rest.
 */
#ifndef PL_STRATEGY_DPOR_WAKEUP_H
#define PL_STRATEGY_DPOR_WAKEUP_H

#include "strategy/dpor/past.h"

/*
 * What a branch is for: a number that is the user's own, and above it a rank, which says when it
 * is to be explored.  Those up to the rank of the pool are wanted.
 */
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

struct pl_wakeup_node {
    uint32_t record; /* of the operation to perform; see past.h */
    uint32_t next;   /* the next branch beside it; 0: none */
    uint32_t child;  /* the first branch behind it; 0: it ends here */
    uint32_t goal;   /* what a branch that ends here is for */
};

struct pl_wakeup_pool {
    struct pl_wakeup_node *nodes;
    uint32_t max, used, free; /* 0 is no node */
    uint32_t n;               /* nodes in use */
    uint32_t goal;            /* of what is inserted next, */
    bool placed;              /* which has happened */
    unsigned rank;            /* branches up to this one are wanted */
    bool moving;              /* branches are being inserted again: whoever dies loses some */
    bool full;
};

void pl_wakeup_start(struct pl_wakeup_pool *w, unsigned char *memory, uint64_t size);
void pl_wakeup_clear(struct pl_wakeup_pool *w);
/* 0 when there is no room. */
uint32_t pl_wakeup_node(struct pl_wakeup_pool *w, uint32_t record);
/* A tree and all beside it. */
void pl_wakeup_free(struct pl_wakeup_pool *w, uint32_t node);

/*
 * Whether the sequence of n records could as well begin with this operation:
 * it does, as far as dependent operations go, or it has nothing to do with it.
 * In the first case *at is where it is, otherwise n.
 */
bool pl_wakeup_begins(const struct pl_past *p, const uint32_t *sequence, uint32_t n,
                      uint32_t record, uint32_t *at);

/*
 * Insert into the tree that begins at *root; the sequence is used up.  True if it was new.  What is
 * there and not wanted yet, and would make it superfluous, takes its goal if that is of lower rank.
 */
bool pl_wakeup_insert(struct pl_wakeup_pool *w, const struct pl_past *p, uint32_t *root,
                      uint32_t *sequence, uint32_t n);

/*
 * The branch of the tree with the first sequence that is wanted, and in *leaf where that ends;
 * 0: there is none.
 */
uint32_t pl_wakeup_wanted(const struct pl_wakeup_pool *w, uint32_t root, uint32_t *stack,
                          uint32_t *leaf);
/* The lowest rank that is in the tree; PL_WAKEUP_RANKS if it is empty. */
unsigned pl_wakeup_least(const struct pl_wakeup_pool *w, uint32_t root, uint32_t *stack);
/* Whether it is no more than half full. */
bool pl_wakeup_roomy(const struct pl_wakeup_pool *w);

/*
 * Move a branch of the tree to the front.  Those before it, as the sequences they are made of, are
 * inserted again; so one that could as well begin with the branch is behind it, or covered by it.
 * Two arrays for sequences are used up.
 */
void pl_wakeup_prefer(struct pl_wakeup_pool *w, const struct pl_past *p, uint32_t *root,
                      uint32_t branch, uint32_t *stack, uint32_t *sequence);

#endif /* PL_STRATEGY_DPOR_WAKEUP_H */
