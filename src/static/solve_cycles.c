/* SPDX-License-Identifier: MIT */
/* Nodes that hand everything to each other become one (Tarjan 1972, without recursion). */
#include "static/solve_inner.h"

#include <stdlib.h>

struct tarjan {
    uint32_t *index, *low, *stack, *path, *edge;
    uint32_t n, n_stack;
    bool *on;
};

static void merge(struct pl_solve *s, uint32_t into, uint32_t n)
{
    struct node *a = &s->nodes[into], *b = &s->nodes[n];

    b->parent = into;
    pl_solve_join(&a->all, &b->all);
    /* Rules of the one have not seen what the other had: all of it is fresh again. */
    for (uint32_t i = 0; i < b->copies.n; i++)
        pl_ir_add(&a->copies, b->copies.at[i]);
    for (uint32_t i = 0; i < b->rules.n; i++)
        pl_ir_add(&a->rules, b->rules.at[i]);
    free(b->all.at);
    free(b->fresh.at);
    free(b->copies.at);
    free(b->rules.at);
    b->all = b->fresh = (struct pl_solve_set){0};
    b->copies = b->rules = (struct pl_ir_list){0};
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static void tidy_copies(struct pl_solve *s, uint32_t n)
{
    struct pl_ir_list *c = &s->nodes[n].copies;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < c->n; i++)
        c->at[i] = pl_solve_find(s, c->at[i]);
    if (c->n > 1)
        qsort(c->at, c->n, sizeof(*c->at), by_value);
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->at[i] != n && (kept == 0 || c->at[kept - 1] != c->at[i]))
            c->at[kept++] = c->at[i];
    }
    c->n = kept;
}

/* The component whose first node is v lies on top of the stack. */
static void close_component(struct pl_solve *s, struct tarjan *t, uint32_t v)
{
    uint32_t first = t->n_stack;

    while (t->stack[--first] != v)
        continue;
    for (uint32_t i = first; i < t->n_stack; i++) {
        t->on[t->stack[i]] = false;
        if (t->stack[i] != v)
            merge(s, v, t->stack[i]);
    }
    if (t->n_stack - first > 1) {
        struct node *a = &s->nodes[v];

        free(a->fresh.at);
        a->fresh = (struct pl_solve_set){0};
        pl_solve_join(&a->fresh, &a->all);
        pl_solve_enqueue(s, v);
    }
    t->n_stack = first;
}

static void open_node(struct tarjan *t, uint32_t v)
{
    t->index[v] = t->low[v] = ++t->n;
    t->stack[t->n_stack++] = v;
    t->on[v] = true;
    t->edge[v] = 0;
}

static void visit(struct pl_solve *s, struct tarjan *t, uint32_t root)
{
    uint32_t depth = 0;

    t->path[0] = root;
    open_node(t, root);
    for (;;) {
        uint32_t v = t->path[depth];

        if (t->edge[v] < s->nodes[v].copies.n) {
            uint32_t w = pl_solve_find(s, s->nodes[v].copies.at[t->edge[v]++]);

            if (t->index[w] == 0) {
                open_node(t, w);
                t->path[++depth] = w;
            } else if (t->on[w] && t->index[w] < t->low[v]) {
                t->low[v] = t->index[w];
            }
            continue;
        }
        uint32_t low = t->low[v];

        if (low == t->index[v])
            close_component(s, t, v);
        if (depth == 0)
            return;
        depth--;
        if (low < t->low[t->path[depth]])
            t->low[t->path[depth]] = low;
    }
}

void pl_solve_collapse(struct pl_solve *s)
{
    size_t n = s->n_nodes + 1;
    struct tarjan t = {.index = pl_err_must(calloc(n, sizeof(uint32_t))),
                       .low = pl_err_must(calloc(n, sizeof(uint32_t))),
                       .stack = pl_err_must(calloc(n, sizeof(uint32_t))),
                       .path = pl_err_must(calloc(n, sizeof(uint32_t))),
                       .edge = pl_err_must(calloc(n, sizeof(uint32_t))),
                       .on = pl_err_must(calloc(n, sizeof(bool)))};

    s->collapsing = s->n_nodes;
    for (uint32_t i = 0; i < s->n_nodes; i++) {
        if (pl_solve_find(s, i) != i)
            continue;
        s->collapsing += 2 * (uint64_t)s->nodes[i].copies.n + 4 * (uint64_t)s->nodes[i].all.n;
        tidy_copies(s, i);
        pl_solve_purge(s, &s->nodes[i].all);
        pl_solve_purge(s, &s->nodes[i].fresh);
    }
    for (uint32_t i = 0; i < s->n_nodes; i++) {
        if (pl_solve_find(s, i) == i && t.index[i] == 0)
            visit(s, &t, i);
    }
    free(t.index);
    free(t.low);
    free(t.stack);
    free(t.path);
    free(t.edge);
    free(t.on);
    s->collapsed_at = s->work;
}
