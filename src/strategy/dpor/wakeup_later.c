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

/* What comes in place of a leaf: what it covers, and then those beside it. */
static uint32_t successors(struct pl_wakeup_pool *w, uint32_t leaf)
{
    uint32_t first = w->nodes[leaf].spare, last = first;

    while (last != 0 && w->nodes[last].next != 0)
        last = w->nodes[last].next;
    if (last == 0)
        return w->nodes[leaf].next;
    w->nodes[last].next = w->nodes[leaf].next;
    return first;
}

uint32_t pl_wakeup_take(struct pl_wakeup_pool *w, uint32_t *root, uint32_t *stack, uint32_t *v)
{
    stack[0] = *root;
    uint32_t n = *root != 0 ? descend(w, stack, 1) : 0, i = n, rest = 0;

    if (n > 0)
        w->later.goal = w->nodes[stack[n - 1]].goal;
    for (uint32_t k = 0; k < n; k++)
        v[k] = w->nodes[stack[k]].record;
    while (i > 0 && rest == 0) { /* and all that led nowhere else */
        uint32_t node = stack[--i];

        rest = i + 1 == n ? successors(w, node) : w->nodes[node].next;
        *(i > 0 ? &w->nodes[stack[i - 1]].child : root) = rest;
        w->nodes[node].child = w->nodes[node].next = w->nodes[node].spare = 0;
        pl_wakeup_free(w, node);
    }
    return n;
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
