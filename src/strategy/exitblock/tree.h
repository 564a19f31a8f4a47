/* SPDX-License-Identifier: MIT */
/*
 * The tree of a search over blocks (strategy/exitblock/exitblock.c), as the path that leads to the
 * present node, and what is known there.
 *
 * A node is a state between two blocks.  At a node every thread is one of
 *
 *   enabled   it may be chosen,
 *   delayed   it has been chosen here, or further up, and what followed has been
 *             seen: it must not be the next, unless the order matters,
 *   blocked   it has been tried and failed to take a lock: the attempt was undone,
 *             so that no thread ever waits for a lock,
 *   waiting   for anything else, or dead: it is not listed.
 *
 * A block that touches what a delayed or a blocked thread has touched puts it back
 * among the enabled.  Without `rw` every block does that to all who are delayed.  Where nobody
 * is enabled the path ends.
 *
 * Choices within a block, such as whom a signal wakes, are a row of outcomes that
 * belongs to it: all of them are explored before anybody else goes first.
 *
 * What nobody can tell from its not having happened is done as soon as it can be; it is on
 * the path, but no node (`automatic`).
 */
#ifndef PL_STRATEGY_EXITBLOCK_TREE_H
#define PL_STRATEGY_EXITBLOCK_TREE_H

#include "model/coverage.h"
#include "strategy/exitblock/cuts.h"

enum { PL_TREE_PREDICTED = 8 };
enum pl_tree_order { PL_TREE_OLDEST, PL_TREE_NEWEST, PL_TREE_RANDOM };
enum pl_tree_status { PL_TREE_ENABLED, PL_TREE_DELAYED, PL_TREE_BLOCKED };

/* A thread at a node. */
struct pl_tree_entry {
    uint64_t lock, pc, name; /* enabled: what its first operation takes; blocked: what failed */
    uint32_t set;            /* delayed, blocked: what it touched */
    pl_tid tid;
    uint8_t status; /* enum pl_tree_status */
    uint8_t op;     /* enum pl_op_kind of that operation */
    bool fails;     /* it cannot be performed: it takes a lock that somebody has */
    bool unlikely;  /* it would be a time-out: others go first */
    bool risky;     /* it would have shown something new when it was listed: it goes first */
};

struct pl_tree_node {
    pl_tid current;     /* who goes on */
    pl_tid n_threads;   /* those that there have been */
    bool automatic;     /* with something that nobody can tell */
    bool shows;         /* threads that cannot get anywhere are to show it */
    bool done;          /* with some outcome the block did not fail */
    bool held_back;     /* somebody could go on, but has had all operations that it may perform */
    uint32_t decisions; /* choices before it */
    uint32_t before;    /* the node before */
    uint32_t entries, n_entries;
    uint32_t vector;   /* outcomes before it */
    uint32_t sets;     /* those that belong to it end here */
    uint32_t set;      /* what its block touched; 0: not known yet */
    uint32_t gathered; /* what it touched with other outcomes */
    struct pl_cuts_mark cuts;
};

/* A choice within a block: the order-th of the ways to go on. */
struct pl_tree_outcome {
    uint32_t decisions;
    uint16_t order, options;
};

struct pl_tree {
    bool rw, dd; /* what is asked for */
    enum pl_tree_order order;
    unsigned (*risk)(const struct pl_operation *op); /* of the context, while it chooses; or NULL */
    bool held_back;                                  /* of the state that the next node is for */
    bool loud;                    /* what nobody can tell led to a finding: it is a node, too */
    bool full;                    /* something did not fit: the search is not what it seems */
    bool visible;                 /* something new was done in this execution that others can see */
    uint32_t plan, plan_outcomes; /* nodes and outcomes that the next execution repeats */
    unsigned n_predicted;         /* deadlocks to be told of */
    struct pl_cycle predicted[PL_TREE_PREDICTED];
    struct pl_paths paths;
    struct pl_cuts cuts;
    struct pl_tree_node *nodes;
    struct pl_tree_entry *entries;
    struct pl_tree_outcome *outcomes;
    uint32_t n_nodes, nodes_max, n_entries, entries_max, n_outcomes, outcomes_max;
    uint8_t seen[PL_THREADS_MAX]; /* threads that are listed at the node that is being made */
};

/* What every thread is about to do: those that can, and those that cannot. */
struct pl_tree_offer {
    const struct pl_operation *const *next;
    const struct pl_operation *const *blocked;
    unsigned n, n_blocked;
};

void pl_tree_start(struct pl_tree *t, struct pl_arena arena);

/* Begin with the root, at which nobody is listed. */
void pl_tree_clear(struct pl_tree *t);

/* Go back to node i, before anything was done there; what it knows stays. */
void pl_tree_return(struct pl_tree *t, uint32_t i);

/* A node behind `before`, for which nothing is known; NULL when there is no room. */
struct pl_tree_node *pl_tree_push(struct pl_tree *t, uint32_t before, uint32_t decisions);

/* The same, with all threads: the state that the block of `before` has led to. */
struct pl_tree_node *pl_tree_grow(struct pl_tree *t, uint32_t before, uint32_t decisions,
                                  const struct pl_tree_offer *offer);

/*
 * Choose who goes on at the node, whose state is the present one: `first` if it is enabled.
 * Threads that fail with their first operation are tried at once; *failed says that
 * there were such.  False when nobody is left.
 */
bool pl_tree_settle(struct pl_tree *t, struct pl_tree_node *n, pl_tid first, bool *failed);

/* The block of the node has failed: count it, and look for deadlocks that this shows. */
void pl_tree_fail(struct pl_tree *t, const struct pl_tree_node *n,
                  const struct pl_operation *failed);

/* Nobody is enabled at the node: the path ends.  Whether that is because nobody can go on. */
bool pl_tree_end_path(struct pl_tree *t, const struct pl_tree_node *n, bool failed);

/* Count a path of that kind; `failed`: it ended with an attempt that failed. */
void pl_tree_count(struct pl_tree *t, uint64_t *kind, bool failed);

/*
 * Plan the next execution.  `failed` is the node whose block failed, or 0;
 * `shown`: that was a deadlock, and it has been reported.  False when all has been seen.
 */
bool pl_tree_turn(struct pl_tree *t, uint32_t failed, bool shown);

#endif /* PL_STRATEGY_EXITBLOCK_TREE_H */
