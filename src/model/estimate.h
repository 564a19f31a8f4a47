/* SPDX-License-Identifier: MIT */
/*
 * How much is still to come, estimated from what was seen.  Plain arithmetic,
 * for code inside and outside of the program under test.
 *
 * A search that samples asks: will the next execution show a new class?  An
 * exhaustive one: how many executions are left?
 */
#ifndef PL_MODEL_ESTIMATE_H
#define PL_MODEL_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

enum pl_outlook_kind {
    PL_OUTLOOK_NONE,      /* nothing can be said */
    PL_OUTLOOK_NEW_CLASS, /* the probability that the next execution shows a new class */
    PL_OUTLOOK_LEFT,      /* how many executions are left */
};

struct pl_outlook {
    uint8_t kind; /* enum pl_outlook_kind */
    double value, low, high;
};

/* What an exhaustive strategy says about its part of the search. */
/* Shares of the tree below this do not show in an estimate. */
#define PL_ESTIMATE_NEGLIGIBLE 1e-15

struct pl_estimate {
    /*
     * The share of the whole tree of choices that it has still to explore, where
     * the subtrees of a choice with n options have 1/n of it each.
     */
    double left;
    double weighed; /* the same, where those have more whose thread has more to do */
};

/* How the estimates of a tree's size went: least and greatest by powers of two of executions. */
struct pl_estimate_tree {
    double total;           /* the last one; 0: none yet */
    double left;            /* the share that it was made from */
    uint64_t doubled;       /* executions at which the current period ends */
    double low[3], high[3]; /* of the current period and the two before */
};

/*
 * The probability that the next execution shows a class that was not seen in
 * any of n, by Good and Turing: once / n, where `once` classes were seen exactly
 * once, and `twice` twice.  Not for less than a few executions.
 */
struct pl_outlook pl_estimate_unseen(uint64_t n, uint64_t once, uint64_t twice);

/* After n executions this share of the tree is left, counted in both ways. */
void pl_estimate_add(struct pl_estimate_tree *tree, uint64_t n, const struct pl_estimate *e);

/* What is left after n executions, from all that was added. */
struct pl_outlook pl_estimate_left(const struct pl_estimate_tree *tree, uint64_t n);

#endif /* PL_MODEL_ESTIMATE_H */
