/* SPDX-License-Identifier: MIT */
/*
 * Wakeup trees: the beginnings of executions that are still to be explored from
 * a state (Abdulla, Aronis, Jonsson, Sagonas 2014/2017; dpor.h has their words).
 *
 * A tree is the list of its branches, in the order of exploration, and behind each branch the tree
 * of what comes next.  It is ordered: no branch is a weak initial of a sequence that begins with
 * one after it.  So a sequence is inserted only if it begins something that no branch leads to.
 *
 * A leaf covers what has nothing to do with it: that is found from there.  But only trying shows
 * whether a call that waits for the kernel can be performed.  What such a leaf covers is kept
 * beside it, as a tree, and takes its place if it cannot; so does what is planned behind one that
 * is no leaf.  Of a sequence with the call in it that is what does not depend on it.
 */
#ifndef PL_STRATEGY_DPOR_WAKEUP_H
#define PL_STRATEGY_DPOR_WAKEUP_H

#include "strategy/dpor/past.h"

struct pl_wakeup_node {
    uint32_t record; /* of the operation to perform; see past.h */
    uint32_t next;   /* the next branch beside it; 0: none */
    uint32_t child;  /* the first branch behind it; 0: it is a leaf */
    uint32_t goal;   /* of a leaf: what it is for; see wakeup_later.h */
    uint32_t spare; /* of a leaf: what it covers, beside it, if it cannot be performed; see below */
    bool was_leaf;  /* a sequence ends there: what is behind it need not make it worth while */
    bool guessed;   /* once it has been performed: what it does was not known before */
};

/* For a search that is guided: see wakeup_later.h. */
struct pl_wakeup_later {
    uint32_t goal; /* of what is inserted next, */
    bool placed;   /* which has happened */
    unsigned rank; /* branches up to this one are wanted */
    bool moving;   /* branches are being inserted again: whoever dies loses some */
};

/* All trees of a search, and its lists of branches that have been explored. */
struct pl_wakeup_pool {
    struct pl_wakeup_node *nodes;
    uint32_t max, used, free; /* 0 is no node */
    uint32_t n;               /* nodes in use */
    bool full;
    struct pl_wakeup_later later;
};

void pl_wakeup_start(struct pl_wakeup_pool *w, unsigned char *memory, uint64_t size);
void pl_wakeup_clear(struct pl_wakeup_pool *w);
/* 0 when there is no room. */
uint32_t pl_wakeup_node(struct pl_wakeup_pool *w, uint32_t record);
/* A tree and all beside it. */
void pl_wakeup_free(struct pl_wakeup_pool *w, uint32_t node);

/*
 * Whether the operation is in WI(v), v being n records: an execution that begins with v could as
 * well begin with it, as far as dependent operations go, or v has nothing to do with it.  In the
 * first case *at is where it is in v, otherwise n.
 */
bool pl_wakeup_weak_initial(const struct pl_past *p, const uint32_t *v, uint32_t n, uint32_t record,
                            uint32_t *at);
/* The same operation of the same thread, as far as both say what is chosen within it. */
bool pl_wakeup_agree(const struct pl_past_record *a, const struct pl_past_record *b);
/* Whether what is at place i of v is in I(v): nothing before it must come before it. */
bool pl_wakeup_initial(const struct pl_past *p, const uint32_t *v, uint32_t i);
/* v without what is at place `at`, if that is a place; its length. */
uint32_t pl_wakeup_without(uint32_t *v, uint32_t n, uint32_t at);

/*
 * v without what depends on the record, or on something that goes for it: what is left of v where
 * that cannot be performed.  Its length; behind it is what went.
 */
uint32_t pl_wakeup_independent(const struct pl_past *p, uint32_t *v, uint32_t n, uint32_t record);
/* Whether it is only tried, as a call that waits for what the kernel has. */
bool pl_wakeup_is_tried(const struct pl_past *p, uint32_t record);

/* insert(v, wut): the tree begins at *root; v is used up.  True if it was new. */
bool pl_wakeup_insert(struct pl_wakeup_pool *w, const struct pl_past *p, uint32_t *root,
                      uint32_t *v, uint32_t n);
/*
 * The first branch of the tree cannot be performed: it goes, and what it covers comes in its place.
 * Two arrays for sequences are used up.
 */
void pl_wakeup_replace(struct pl_wakeup_pool *w, const struct pl_past *p, uint32_t *root,
                       uint32_t *stack, uint32_t *v);
/*
 * Take the first sequence of the tree out of it: its length, its records in v, and what it was for
 * in the pool.  What a leaf covers takes its place.  0: there is none.  `stack` is used up.
 */
uint32_t pl_wakeup_take(struct pl_wakeup_pool *w, uint32_t *root, uint32_t *stack, uint32_t *v);
/* A branch of its own for v; 0 when there is no room, or nothing in v. */
uint32_t pl_wakeup_branch(struct pl_wakeup_pool *w, const uint32_t *v, uint32_t n);
/* A branch of one operation behind all others, whatever they are: for sets of threads. */
void pl_wakeup_append(struct pl_wakeup_pool *w, uint32_t *root, uint32_t record);
/* And one before all others. */
void pl_wakeup_prepend(struct pl_wakeup_pool *w, uint32_t *root, uint32_t record);

#endif /* PL_STRATEGY_DPOR_WAKEUP_H */
