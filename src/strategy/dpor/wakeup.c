/* SPDX-License-Identifier: MIT */
/* See wakeup.h. */
#include "strategy/dpor/wakeup.h"

#include "base/assert.h"
#include "model/depend.h"
#include "strategy/dpor/wakeup_later.h"
#include "strategy/shared/strategy.h"

/* ---- nodes ---- */

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
        PL_ASSERT(node < w->used);
        uint32_t next = w->nodes[node].next;

        if (w->nodes[node].child != 0)
            pl_wakeup_free(w, w->nodes[node].child);
        if (w->nodes[node].spare != 0)
            pl_wakeup_free(w, w->nodes[node].spare);
        w->nodes[node].next = w->free;
        PL_STORE(w->free, node);
        w->n--;
        node = next;
    }
}

/* ---- weak initials ---- */

bool pl_wakeup_agree(const struct pl_past_record *a, const struct pl_past_record *b)
{
    if (a->thread != b->thread)
        return false;
    for (unsigned i = 0; i < PL_PAST_OUTCOMES; i++) {
        if (a->outcome[i] != 0 && b->outcome[i] != 0 && a->outcome[i] != b->outcome[i])
            return false;
    }
    return true;
}

/* An operation may differ from what its thread does elsewhere: an arrival at a barrier is the last
 * one or not.  So its record in v counts. */
bool pl_wakeup_initial(const struct pl_past *p, const uint32_t *v, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++) {
        if (pl_past_depend(p, &p->records[v[k]], &p->records[v[i]]))
            return false;
    }
    return true;
}

bool pl_wakeup_weak_initial(const struct pl_past *p, const uint32_t *v, uint32_t n, uint32_t record,
                            uint32_t *at)
{
    const struct pl_past_record *first = &p->records[record];

    PL_ASSERT(record < p->n_records);
    for (*at = 0; *at < n; ++*at) {
        const struct pl_past_record *r = &p->records[v[*at]];

        if (r->thread == first->thread)
            return pl_wakeup_agree(r, first) && pl_wakeup_initial(p, v, *at);
        if (pl_past_depend(p, r, first))
            return false;
    }
    return !first->idle; /* that was no step, and so nothing has been explored behind it */
}

uint32_t pl_wakeup_without(uint32_t *v, uint32_t n, uint32_t at)
{
    PL_ASSERT(at <= n);
    if (at == n)
        return n;
    for (uint32_t i = at; i + 1 < n; i++)
        v[i] = v[i + 1];
    return n - 1;
}

uint32_t pl_wakeup_independent(const struct pl_past *p, uint32_t *v, uint32_t n, uint32_t record)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t r = v[i], k = kept;

        if (pl_past_depend(p, &p->records[record], &p->records[r]))
            continue;
        while (k < i && !pl_past_depend(p, &p->records[v[k]], &p->records[r]))
            k++;
        if (k < i)
            continue;
        v[i] = v[kept];
        v[kept++] = r;
    }
    return kept;
}

/* ---- insertion ---- */

uint32_t pl_wakeup_branch(struct pl_wakeup_pool *w, const uint32_t *v, uint32_t n)
{
    uint32_t branch = 0;

    while (n > 0) {
        uint32_t node = pl_wakeup_node(w, v[--n]);

        if (node == 0)
            return 0;
        w->nodes[node].child = branch;
        w->nodes[node].goal = branch == 0 ? w->later.goal : 0;
        w->later.placed = true;
        branch = node;
    }
    return branch;
}

/* Whether the list has no weak initial of v. */
static bool leads_nowhere(const struct pl_wakeup_pool *w, const struct pl_past *p, uint32_t node,
                          const uint32_t *v, uint32_t n)
{
    uint32_t at;

    while (node != 0 && !pl_wakeup_weak_initial(p, v, n, w->nodes[node].record, &at))
        node = w->nodes[node].next;
    return node == 0;
}

/*
 * Whether the leaf may turn out to be no step, since what it looks at leads round a loop: then it
 * covers nothing that has nothing to do with it.
 */
static bool may_wait(const struct pl_past *p, const struct pl_wakeup_node *leaf)
{
    const struct pl_past_record *r = &p->records[leaf->record];

    return r->known && pl_depend_looks(&r->op);
}

/* Both have one turn then, the sooner of theirs. */
static bool extend(struct pl_wakeup_pool *w, struct pl_wakeup_node *leaf, const uint32_t *v,
                   uint32_t n)
{
    uint32_t goal = w->later.goal;

    if (pl_wakeup_rank(leaf->goal) < pl_wakeup_rank(goal))
        w->later.goal = leaf->goal;
    uint32_t branch = pl_wakeup_branch(w, v, n);

    w->later.goal = goal;
    if (branch != 0) {
        leaf->goal = 0;
        leaf->was_leaf = true;
    }
    PL_STORE(leaf->child, branch);
    return branch != 0;
}

bool pl_wakeup_is_tried(const struct pl_past *p, uint32_t record)
{
    const struct pl_operation *op = &p->records[record].op;

    return p->records[record].known && pl_operation_is(op->kind, PL_ROLE_OUTSIDE) && !op->ready;
}

bool pl_wakeup_insert(struct pl_wakeup_pool *w, const struct pl_past *p, uint32_t *root,
                      uint32_t *v, uint32_t n)
{
    uint32_t *place = root, *branches = root, last = 0;

    PL_ASSERT(n > 0);
    while (*place != 0 && n > 0) {
        struct pl_wakeup_node *node = &w->nodes[*place];
        uint32_t at;

        if (!pl_wakeup_weak_initial(p, v, n, node->record, &at)) {
            place = &node->next;
            continue;
        }
        bool apart = at == n;

        n = pl_wakeup_without(v, n, at);
        if (node->child == 0 && n > 0 && pl_wakeup_is_tried(p, node->record)) {
            if (!apart && pl_wakeup_later_claim(w, node, v, n))
                return true;
            n = pl_wakeup_independent(p, v, n, node->record);
            if (n > 0)
                pl_wakeup_insert(w, p, &node->spare, v, n);
            return false;
        }
        if (node->child == 0 && apart && may_wait(p, node))
            return extend(w, node, v, n);
        if (node->child == 0)
            return pl_wakeup_later_claim(w, node, v, n); /* a leaf covers the rest */
        last = *place;
        place = branches = &node->child;
    }
    if (n == 0) {
        w->nodes[last].was_leaf = true;
        return pl_wakeup_later_claim_one(w, *place);
    }
    PL_ASSERT(*place == 0);
    PL_CHECK(leads_nowhere(w, p, *branches, v, n));
    uint32_t branch = pl_wakeup_branch(w, v, n);

    PL_STORE(*place, branch);
    return branch != 0;
}

void pl_wakeup_append(struct pl_wakeup_pool *w, uint32_t *root, uint32_t record)
{
    uint32_t *place = root;

    while (*place != 0)
        place = &w->nodes[*place].next;
    uint32_t branch = pl_wakeup_branch(w, &record, 1);

    PL_STORE(*place, branch);
}

void pl_wakeup_prepend(struct pl_wakeup_pool *w, uint32_t *root, uint32_t record)
{
    uint32_t branch = pl_wakeup_branch(w, &record, 1);

    if (branch == 0)
        return;
    w->nodes[branch].next = *root;
    PL_STORE(*root, branch);
}
