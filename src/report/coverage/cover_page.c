/* SPDX-License-Identifier: MIT */
/* See cover_page.h: sorting and counting. */
#include "report/coverage/cover_page.h"

#include "base/assert.h"

#include <stdlib.h>

static int by_name(const void *a, const void *b)
{
    const struct pl_cover_file *x = a, *y = b;

    return pl_cover_places_compare(x->name, y->name);
}

/* Files of statements that are in some order, and of functions that were executed. */
static void find_files(struct pl_cover_page *p)
{
    const struct pl_cover_view *v = p->view;
    size_t most = 2 * v->orders.n + v->n_rows + 1, n = 0;
    struct pl_cover_file *all = pl_err_must(calloc(most, sizeof(*all)));

    for (size_t i = 0; i < v->orders.n; i++) {
        all[n++].name = v->places[v->orders.items[i].a].file;
        all[n++].name = v->places[v->orders.items[i].b].file;
    }
    for (size_t i = 0; i < v->n_rows; i++)
        all[n++].name = v->rows[i].function->file;
    PL_ASSERT(n < most);
    qsort(all, n, sizeof(*all), by_name);
    for (size_t i = 0; i < n; i++) {
        if (p->n_files == 0 || by_name(&all[p->n_files - 1], &all[i]) != 0)
            all[p->n_files++] = all[i];
    }
    p->files = all;
}

static struct pl_cover_file *file_of(const struct pl_cover_page *p, const char *name)
{
    struct pl_cover_file key = {.name = name};

    return bsearch(&key, p->files, p->n_files, sizeof(key), by_name);
}

static void count_order(struct pl_cover_page *p, const struct pl_covered_order *o)
{
    uint32_t files[] = {p->file_of[o->a], p->file_of[o->b]};

    PL_ASSERT(files[0] < p->n_files && files[1] < p->n_files);
    for (unsigned i = 0; i < (files[0] == files[1] ? 1 : 2); i++) {
        struct pl_cover_file *f = &p->files[files[i]];

        f->orders[o->state]++;
        f->shares[2].covered += o->seen;
        f->shares[2].total += o->pair && o->state != PL_COVERED_NEVER;
    }
}

static void count_functions(struct pl_cover_page *p)
{
    for (size_t i = 0; i < p->view->n_rows; i++) {
        const struct pl_cover_row *r = &p->view->rows[i];
        struct pl_cover_file *f = file_of(p, r->function->file);

        PL_ASSERT(f != NULL);
        f->shares[0].total += 2;
        f->shares[0].covered +=
            (r->function->interrupted.execution != 0) + (r->function->whole.execution != 0);
        f->shares[1].covered += r->partners;
        f->shares[1].total += r->partners_total;
    }
}

/* What is not covered is what the reader looks for. */
static unsigned weight(const struct pl_cover_end *e)
{
    return e->order->state == PL_COVERED_OPEN ? 0 : 1 + (unsigned)e->order->state;
}

/* Ranks of statements go by file, line and column. */
static int by_ranks(const void *a, const void *b, void *context)
{
    const uint32_t *ranks = context;
    const struct pl_cover_end *x = a, *y = b;

    if (x->statement != y->statement)
        return ranks[x->statement] < ranks[y->statement] ? -1 : 1;
    if (weight(x) != weight(y))
        return weight(x) < weight(y) ? -1 : 1;
    if (x->begins != y->begins)
        return x->begins ? -1 : 1;
    return (ranks[x->partner] > ranks[y->partner]) - (ranks[x->partner] < ranks[y->partner]);
}

static void find_ends(struct pl_cover_page *p)
{
    const struct pl_covered_orders *orders = &p->view->orders;
    size_t n = 0;

    p->ends = pl_err_must(calloc(2 * orders->n + 1, sizeof(*p->ends)));
    for (size_t i = 0; i < orders->n; i++) {
        const struct pl_covered_order *o = &orders->items[i];

        count_order(p, o);
        p->ends[n++] = (struct pl_cover_end){o, o->a, o->b, true};
        p->ends[n++] = (struct pl_cover_end){o, o->b, o->a, false};
    }
    PL_ASSERT(n == 2 * orders->n);
    qsort_r(p->ends, n, sizeof(*p->ends), by_ranks, p->view->ranks);
    for (size_t i = 0; i < n; i++) {
        struct pl_cover_file *f = &p->files[p->file_of[p->ends[i].statement]];

        if (f->n_ends++ == 0)
            f->ends = &p->ends[i];
    }
}

void pl_cover_page_make(struct pl_cover_page *p, const struct pl_cover_view *v,
                        struct pl_source *source)
{
    *p = (struct pl_cover_page){.view = v, .source = source};
    p->file_of = pl_err_must(calloc(v->set->n_statements + 1, sizeof(*p->file_of)));
    find_files(p);
    for (size_t i = 0; i < v->set->n_statements; i++) {
        const struct pl_cover_file *f = file_of(p, v->places[i].file);

        p->file_of[i] = f != NULL ? (uint32_t)(f - p->files) : 0; /* in no order: never asked */
    }
    count_functions(p);
    find_ends(p);
}

void pl_cover_page_free(struct pl_cover_page *p)
{
    free(p->files);
    free(p->file_of);
    free(p->ends);
}
