/* SPDX-License-Identifier: MIT */
/* See wakeup_later.h. */
#include "strategy/dpor/wakeup_later.h"

#include "base/assert.h"
#include "strategy/shared/strategy.h"

bool pl_wakeup_later_roomy(const struct pl_wakeup_pool *w)
{
    return w->n < w->max / 2;
}

/* ---- what is covered by something that is not wanted yet ---- */

bool pl_wakeup_later_claim(struct pl_wakeup_pool *w, struct pl_wakeup_node *leaf, const uint32_t *v,
                           uint32_t n)
{
    unsigned rank = pl_wakeup_rank(leaf->goal);

    PL_ASSERT(leaf->child == 0);
    if (rank <= w->later.rank || rank <= pl_wakeup_rank(w->later.goal))
        return false;
    uint32_t branch = pl_wakeup_branch(w, v, n);

    if (n == 0 || branch != 0)
        leaf->goal = n == 0 ? w->later.goal : 0;
    PL_STORE(leaf->child, branch);
    w->later.placed = true;
    return true;
}

bool pl_wakeup_later_claim_one(struct pl_wakeup_pool *w, uint32_t node)
{
    while (w->nodes[node].child != 0)
        node = w->nodes[node].child;
    return pl_wakeup_later_claim(w, &w->nodes[node], NULL, 0);
}

/* ---- walking over the leaves ---- */

/* The leftmost leaf below the node on top of the stack. */
static uint32_t descend(const struct pl_wakeup_pool *w, uint32_t *stack, uint32_t n)
{
    PL_ASSERT(n > 0 && stack[n - 1] != 0);
    while (w->nodes[stack[n - 1]].child != 0) {
        stack[n] = w->nodes[stack[n - 1]].child;
        n++;
    }
    return n;
}

/* From a leaf to the next one; 0 when there is none. */
static uint32_t next_leaf(const struct pl_wakeup_pool *w, uint32_t *stack, uint32_t n)
{
    while (n > 0 && w->nodes[stack[n - 1]].next == 0)
        n--;
    if (n == 0)
        return 0;
    stack[n - 1] = w->nodes[stack[n - 1]].next;
    return descend(w, stack, n);
}

uint32_t pl_wakeup_later_wanted(const struct pl_wakeup_pool *w, uint32_t root, uint32_t *stack,
                                uint32_t *leaf)
{
    stack[0] = root;
    for (uint32_t n = root != 0 ? descend(w, stack, 1) : 0; n > 0; n = next_leaf(w, stack, n)) {
        *leaf = stack[n - 1];
        if (pl_wakeup_rank(w->nodes[*leaf].goal) <= w->later.rank)
            return stack[0];
    }
    return 0;
}

unsigned pl_wakeup_later_least(const struct pl_wakeup_pool *w, uint32_t root, uint32_t *stack)
{
    unsigned least = PL_WAKEUP_RANKS;

    stack[0] = root;
    for (uint32_t n = root != 0 ? descend(w, stack, 1) : 0; n > 0 && least > 0;
         n = next_leaf(w, stack, n)) {
        unsigned rank = pl_wakeup_rank(w->nodes[stack[n - 1]].goal);

        least = rank < least ? rank : least;
    }
    return least;
}

/*
 * Insert the sequences of a tree again, each behind the first n nodes of the stack; and what their
 * leaves cover, which comes behind the same nodes as the leaf.
 */
static void insert_again(struct pl_wakeup_pool *w, const struct pl_past *p, uint32_t *root,
                         uint32_t tree, uint32_t *stack, uint32_t n, uint32_t *v)
{
    stack[n] = tree;
    for (uint32_t m = tree != 0 ? descend(w, stack + n, 1) : 0; m > 0;
         m = next_leaf(w, stack + n, m)) {
        uint32_t *last = &stack[n + m - 1], leaf = *last;

        for (uint32_t i = 0; i < n + m; i++)
            v[i] = w->nodes[stack[i]].record;
        w->later.goal = w->nodes[leaf].goal;
        pl_wakeup_insert(w, p, root, v, n + m);
        insert_again(w, p, root, w->nodes[leaf].spare, stack, n + m - 1, v);
        *last = leaf;
    }
}

void pl_wakeup_replace(struct pl_wakeup_pool *w, const struct pl_past *p, uint32_t *root,
                       uint32_t *stack, uint32_t *v)
{
    uint32_t branch = *root, spare = w->nodes[branch].spare, goal = w->later.goal;

    PL_ASSERT(branch != 0);
    PL_STORE(*root, w->nodes[branch].next);
    w->nodes[branch].next = w->nodes[branch].spare = 0;
    pl_wakeup_free(w, branch);
    insert_again(w, p, root, spare, stack, 0, v);
    pl_wakeup_free(w, spare);
    w->later.goal = goal;
}

void pl_wakeup_later_prefer(struct pl_wakeup_pool *w, const struct pl_past *p, uint32_t *root,
                            uint32_t branch, uint32_t *stack, uint32_t *v)
{
    uint32_t before = *root, *place = root;

    PL_ASSERT(branch != 0 && branch != before);
    while (*place != branch)
        place = &w->nodes[*place].next;
    PL_STORE(w->later.moving, true);
    *place = 0; /* those that come after it stay behind it */
    PL_STORE(*root, branch);
    insert_again(w, p, root, before, stack, 0, v);
    pl_wakeup_free(w, before);
    w->later.placed = true; /* nothing that its user would have to know of */
    PL_STORE(w->later.moving, false);
}
