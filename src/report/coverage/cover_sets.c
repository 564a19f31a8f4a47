/* SPDX-License-Identifier: MIT */
/* See cover.h: predecessor sets, statement by statement, in the order of their texts. */
#include "report/coverage/cover.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT = 2600 };

struct order {
    char *statement, *predecessor;
};

static char *text_of(const struct pl_covered *c, uint32_t statement)
{
    char text[TEXT];
    const struct pl_covered_statement *s = &c->statements[statement];

    pl_cover_view_describe(s, c->functions[s->function].name, text, sizeof(text));
    return pl_err_must(strdup(text));
}

static int by_text(const void *a, const void *b)
{
    const struct order *x = a, *y = b;
    int order = strcmp(x->statement, y->statement);

    return order != 0 ? order : strcmp(x->predecessor, y->predecessor);
}

static void add(struct pl_cover_view *v, const struct order *o)
{
    struct pl_cover_set *last = v->n_sets > 0 ? &v->sets[v->n_sets - 1] : NULL;

    if (last == NULL || strcmp(last->statement, o->statement) != 0) {
        last = &v->sets[v->n_sets++];
        *last = (struct pl_cover_set){.statement = pl_err_must(strdup(o->statement))};
    }
    pl_cover_list_add(&last->predecessors, "%s", o->predecessor);
}

void pl_cover_sets_make(struct pl_cover_view *v, const struct pl_covered *c)
{
    size_t n = c->n_predecessors;
    struct order *orders = pl_err_must(calloc(n + 1, sizeof(*orders)));

    v->sets = pl_err_must(calloc(n + 1, sizeof(*v->sets)));
    for (size_t i = 0; i < n; i++)
        orders[i] =
            (struct order){text_of(c, c->predecessors[i].b), text_of(c, c->predecessors[i].a)};
    qsort(orders, n, sizeof(*orders), by_text);
    for (size_t i = 0; i < n; i++) {
        add(v, &orders[i]);
        free(orders[i].statement);
        free(orders[i].predecessor);
    }
    free(orders);
}

void pl_cover_sets_free(struct pl_cover_view *v)
{
    for (size_t i = 0; i < v->n_sets; i++) {
        free(v->sets[i].statement);
        pl_cover_list_free(&v->sets[i].predecessors);
    }
    free(v->sets);
}
