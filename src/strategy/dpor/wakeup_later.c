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
    stack[0] = before;
    for (uint32_t n = descend(w, stack, 1); n > 0; n = next_leaf(w, stack, n)) {
        for (uint32_t i = 0; i < n; i++)
            v[i] = w->nodes[stack[i]].record;
        w->later.goal = w->nodes[stack[n - 1]].goal;
        pl_wakeup_insert(w, p, root, v, n);
    }
    pl_wakeup_free(w, before);
    w->later.placed = true; /* nothing that its user would have to know of */
    PL_STORE(w->later.moving, false);
}
