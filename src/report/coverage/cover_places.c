/* SPDX-License-Identifier: MIT */
/* See cover.h: places of statements, and orders of statements as they stand in the source. */
#include "report/coverage/cover.h"

#include <stdlib.h>
#include <string.h>

/* The number at the end of the text, which is cut off with its colon; 0 when there is none. */
static unsigned cut_number(char *text)
{
    char *colon = strrchr(text, ':');
    char *end;

    if (colon == NULL || colon[1] < '0' || colon[1] > '9')
        return 0;
    unsigned long n = strtoul(colon + 1, &end, 10);

    if (*end != '\0' || n > INT32_MAX)
        return 0;
    *colon = '\0';
    return (unsigned)n;
}

/* "bank.c:31:5", "bank.c:31", or something else for code without source lines. */
static struct pl_cover_place read_place(const char *text)
{
    struct pl_cover_place p = {.file = pl_err_must(strdup(text))};
    unsigned last = cut_number(p.file), before = last != 0 ? cut_number(p.file) : 0;

    p.line = before != 0 ? before : last;
    p.column = before != 0 ? last : 0;
    if (p.line == 0)
        p.file[0] = '\0';
    return p;
}

static int compare(unsigned a, unsigned b)
{
    return (a > b) - (a < b);
}

bool pl_cover_places_foreign(const char *file)
{
    return strncmp(file, "/usr/", 5) == 0;
}

static unsigned rank_of(const char *file)
{
    return file[0] == '\0' ? 2 : pl_cover_places_foreign(file);
}

int pl_cover_places_compare(const char *a, const char *b)
{
    return rank_of(a) != rank_of(b) ? compare(rank_of(a), rank_of(b)) : strcmp(a, b);
}

static int by_place(const void *a, const void *b, void *context)
{
    const struct pl_cover_view *v = context;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const struct pl_cover_place *x = &v->places[i], *y = &v->places[k];
    const struct pl_covered_statement *s = &v->set->statements[i], *t = &v->set->statements[k];
    int order = pl_cover_places_compare(x->file, y->file);

    if (order == 0)
        order = compare(x->line, y->line);
    if (order == 0)
        order = compare(x->column, y->column);
    if (order == 0)
        order = strcmp(s->place, t->place);
    if (order == 0)
        order = strcmp(s->operation, t->operation);
    if (order == 0)
        order = strcmp(v->set->functions[s->function].name, v->set->functions[t->function].name);
    return order != 0 ? order : strcmp(s->caller, t->caller);
}

static int by_ranks(const void *a, const void *b, void *context)
{
    const struct pl_cover_view *v = context;
    const struct pl_covered_order *x = a, *y = b;
    int order = compare(v->ranks[x->a], v->ranks[y->a]);

    return order != 0 ? order : compare(v->ranks[x->b], v->ranks[y->b]);
}

void pl_cover_places_make(struct pl_cover_view *v)
{
    size_t n = v->set->n_statements;
    uint32_t *sorted = pl_err_must(calloc(n + 1, sizeof(*sorted)));

    v->places = pl_err_must(calloc(n + 1, sizeof(*v->places)));
    v->ranks = pl_err_must(calloc(n + 1, sizeof(*v->ranks)));
    for (size_t i = 0; i < n; i++) {
        v->places[i] = read_place(v->set->statements[i].place);
        sorted[i] = (uint32_t)i;
    }
    qsort_r(sorted, n, sizeof(*sorted), by_place, v);
    for (size_t i = 0; i < n; i++)
        v->ranks[sorted[i]] = (uint32_t)i;
    qsort_r(v->orders.items, v->orders.n, sizeof(*v->orders.items), by_ranks, v);
    free(sorted);
}

void pl_cover_places_free(struct pl_cover_view *v)
{
    for (size_t i = 0; i < v->set->n_statements; i++)
        free(v->places[i].file);
    free(v->places);
    free(v->ranks);
}
