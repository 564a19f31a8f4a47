/* SPDX-License-Identifier: MIT */
/* See wakeup.h. */
#include "strategy/dpor/wakeup.h"

#include "strategy/shared/strategy.h"

void pl_wakeup_start(struct pl_wakeup_pool *w, unsigned char *memory, uint64_t size)
{
    w->nodes = (struct pl_wakeup_node *)memory;
    w->max = (uint32_t)(size / sizeof(struct pl_wakeup_node));
    pl_wakeup_clear(w);
}

void pl_wakeup_clear(struct pl_wakeup_pool *w)
{
    w->used = 1;
    w->free = w->n = 0;
    w->full = false;
}

uint32_t pl_wakeup_node(struct pl_wakeup_pool *w, uint32_t record)
{
    uint32_t node = w->free;

    if (node != 0) {
        PL_STORE(w->free, w->nodes[node].next);
    } else if (w->used < w->max) {
        node = w->used;
        PL_STORE(w->used, node + 1);
    } else {
        w->full = true;
        return 0;
    }
    w->n++;
    w->nodes[node] = (struct pl_wakeup_node){.record = record};
    return node;
}

void pl_wakeup_free(struct pl_wakeup_pool *w, uint32_t node)
{
    while (node != 0) {
        uint32_t next = w->nodes[node].next;

        if (w->nodes[node].child != 0)
            pl_wakeup_free(w, w->nodes[node].child);
        w->nodes[node].next = w->free;
        PL_STORE(w->free, node);
        w->n--;
        node = next;
    }
}

/* The same operation of the same thread, as far as both say what is chosen within it. */
static bool agree(const struct pl_past_record *a, const struct pl_past_record *b)
{
    for (unsigned i = 0; i < PL_PAST_OUTCOMES; i++) {
        if (a->outcome[i] != 0 && b->outcome[i] != 0 && a->outcome[i] != b->outcome[i])
            return false;
    }
    return true;
}

/*
 * Whether nothing in the sequence before place `at` must come before what is
 * there.  It may differ from what the same thread does elsewhere: an arrival at
 * a barrier is the last one or not.
 */
static bool is_free(const struct pl_past *p, const uint32_t *sequence, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++) {
        if (pl_past_depend(&p->records[sequence[i]], &p->records[sequence[at]]))
            return false;
    }
    return true;
}

bool pl_wakeup_begins(const struct pl_past *p, const uint32_t *sequence, uint32_t n,
                      uint32_t record, uint32_t *at)
{
    const struct pl_past_record *first = &p->records[record];

    for (*at = 0; *at < n; ++*at) {
        const struct pl_past_record *r = &p->records[sequence[*at]];

        if (r->thread == first->thread)
            return agree(r, first) && is_free(p, sequence, *at);
        if (pl_past_depend(r, first))
            return false;
    }
    return true;
}

/* A branch of its own for the sequence; 0 when there is no room. */
static uint32_t make_branch(struct pl_wakeup_pool *w, const uint32_t *sequence, uint32_t n)
{
    uint32_t branch = 0;

    while (n > 0) {
        uint32_t node = pl_wakeup_node(w, sequence[--n]);

        if (node == 0)
            return 0;
        w->nodes[node].child = branch;
        w->nodes[node].goal = branch == 0 ? w->goal : 0;
        w->placed = true;
        branch = node;
    }
    return branch;
}

/* The rest of the sequence goes behind a leaf; without a rest the leaf is what was wanted. */
static bool make_wanted(struct pl_wakeup_pool *w, struct pl_wakeup_node *leaf,
                        const uint32_t *sequence, uint32_t n)
{
    unsigned rank = pl_wakeup_rank(leaf->goal);

    if (rank <= w->rank || rank <= pl_wakeup_rank(w->goal))
        return false;
    uint32_t branch = make_branch(w, sequence, n);

    if (n == 0 || branch != 0)
        leaf->goal = n == 0 ? w->goal : 0;
    PL_STORE(leaf->child, branch);
    w->placed = true;
    return true;
}

/* The tree has what was to be inserted, and more: one of those that go on from there. */
static bool want_one_of(struct pl_wakeup_pool *w, uint32_t node)
{
    while (w->nodes[node].child != 0)
        node = w->nodes[node].child;
    return make_wanted(w, &w->nodes[node], NULL, 0);
}

bool pl_wakeup_insert(struct pl_wakeup_pool *w, const struct pl_past *p, uint32_t *root,
                      uint32_t *sequence, uint32_t n)
{
    uint32_t *place = root;

    while (*place != 0 && n > 0) {
        struct pl_wakeup_node *node = &w->nodes[*place];
        uint32_t at;

        if (!pl_wakeup_begins(p, sequence, n, node->record, &at)) {
            place = &node->next;
            continue;
        }
        if (at < n) {
            n--;
            for (uint32_t i = at; i < n; i++)
                sequence[i] = sequence[i + 1];
        }
        if (node->child == 0)
            return make_wanted(w, node, sequence, n);
        place = &node->child;
    }
    if (n == 0)
        return *place != 0 && want_one_of(w, *place);
    uint32_t branch = make_branch(w, sequence, n);

    PL_STORE(*place, branch);
    return branch != 0;
}

/* The leftmost leaf below the node on top of the stack. */
static uint32_t descend(const struct pl_wakeup_pool *w, uint32_t *stack, uint32_t n)
{
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

uint32_t pl_wakeup_wanted(const struct pl_wakeup_pool *w, uint32_t root, uint32_t *stack,
                          uint32_t *leaf)
{
    stack[0] = root;
    for (uint32_t n = root != 0 ? descend(w, stack, 1) : 0; n > 0; n = next_leaf(w, stack, n)) {
        *leaf = stack[n - 1];
        if (pl_wakeup_rank(w->nodes[*leaf].goal) <= w->rank)
            return stack[0];
    }
    return 0;
}

unsigned pl_wakeup_least(const struct pl_wakeup_pool *w, uint32_t root, uint32_t *stack)
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

bool pl_wakeup_roomy(const struct pl_wakeup_pool *w)
{
    return w->n < w->max / 2;
}

void pl_wakeup_prefer(struct pl_wakeup_pool *w, const struct pl_past *p, uint32_t *root,
                      uint32_t branch, uint32_t *stack, uint32_t *sequence)
{
    uint32_t before = *root, *place = root;

    while (*place != branch)
        place = &w->nodes[*place].next;
    PL_STORE(w->moving, true);
    *place = 0; /* those that come after it stay behind it */
    PL_STORE(*root, branch);
    stack[0] = before;
    for (uint32_t n = descend(w, stack, 1); n > 0; n = next_leaf(w, stack, n)) {
        for (uint32_t i = 0; i < n; i++)
            sequence[i] = w->nodes[stack[i]].record;
        w->goal = w->nodes[stack[n - 1]].goal;
        pl_wakeup_insert(w, p, root, sequence, n);
    }
    pl_wakeup_free(w, before);
    w->placed = true; /* nothing that its user would have to know of */
    PL_STORE(w->moving, false);
}
