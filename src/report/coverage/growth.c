/* SPDX-License-Identifier: MIT */
/* See growth.h: the numbers. */
#include "report/coverage/growth.h"

#include "base/assert.h"

#include <math.h>
#include <stdlib.h>

enum { LOG_FROM = 500 }; /* executions */

struct shown {
    uint64_t at;
    unsigned model;
};

struct gathering {
    const uint64_t *before; /* by campaign: executions of those that began earlier */
    struct shown *items;
    size_t n;
};

static void gather(struct gathering *g, unsigned model, struct pl_covered_first first)
{
    if (first.execution != 0)
        g->items[g->n++] = (struct shown){g->before[first.campaign] + first.execution, model};
}

static void gather_all(struct gathering *g, const struct pl_covered *c)
{
    for (size_t i = 0; i < c->n_functions; i++) {
        gather(g, 0, c->functions[i].interrupted);
        gather(g, 0, c->functions[i].whole);
    }
    for (size_t i = 0; i < c->n_switches; i++)
        gather(g, 1, c->switches[i].first);
    for (size_t i = 0; i < c->n_pairs; i++)
        gather(g, 2, c->pairs[i].first);
}

static int by_execution(const void *a, const void *b)
{
    const struct shown *x = a, *y = b;

    return (x->at > y->at) - (x->at < y->at);
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void add_up(struct pl_growth *growth, const struct gathering *g)
{
    PL_ASSERT(growth->points == NULL && growth->n == 0);
    growth->points = pl_err_must(calloc(g->n + 1, sizeof(*growth->points)));
    for (size_t i = 0; i < g->n; i++) {
        struct pl_growth_point *p = &growth->points[growth->n];

        if (growth->n == 0 || p[-1].at != g->items[i].at) {
            if (growth->n > 0)
                *p = p[-1];
            p->at = g->items[i].at;
            growth->n++;
        }
        growth->points[growth->n - 1].covered[g->items[i].model]++;
    }
}

void pl_growth_make(struct pl_growth *growth, const struct pl_covered *c)
{
    uint64_t *before = pl_err_must(calloc(c->n_campaigns + 1, sizeof(*before)));
    size_t most = 2 * c->n_functions + c->n_switches + c->n_pairs + 1;
    struct gathering g = {before, pl_err_must(calloc(most, sizeof(*g.items))), 0};

    *growth = (struct pl_growth){.n_campaigns = c->n_campaigns};
    growth->starts = pl_err_must(calloc(c->n_campaigns + 1, sizeof(*growth->starts)));
    for (size_t i = 0; i < c->n_campaigns; i++) {
        before[i] = pl_covered_position(c, (struct pl_covered_first){(uint32_t)i, 1}) - 1;
        growth->starts[i] = before[i];
        growth->executions += c->campaigns[i].executions;
    }
    qsort(growth->starts, c->n_campaigns, sizeof(*growth->starts), by_number);
    gather_all(&g, c);
    qsort(g.items, g.n, sizeof(*g.items), by_execution);
    PL_ASSERT(g.n < most);
    add_up(growth, &g);
    free(g.items);
    free(before);
}

void pl_growth_free(struct pl_growth *growth)
{
    free(growth->points);
    free(growth->starts);
    *growth = (struct pl_growth){0};
}

struct pl_growth_point pl_growth_at(const struct pl_growth *growth, uint64_t executions)
{
    size_t low = 0, high = growth->n;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (growth->points[middle].at <= executions)
            low = middle + 1;
        else
            high = middle;
    }
    PL_ASSERT(low <= growth->n);
    return low > 0 ? growth->points[low - 1] : (struct pl_growth_point){0};
}

uint64_t pl_growth_reached(const struct pl_growth *growth, unsigned model, uint64_t covered)
{
    PL_ASSERT(model < PL_COVERED_MODELS);
    for (size_t i = 0; i < growth->n; i++) {
        if (growth->points[i].covered[model] >= covered)
            return growth->points[i].at;
    }
    return 0;
}

uint64_t pl_growth_last(const struct pl_growth *growth, unsigned model)
{
    uint64_t all = growth->n > 0 ? growth->points[growth->n - 1].covered[model] : 0;

    return all > 0 ? pl_growth_reached(growth, model, all) : 0;
}

/* ---- the axis ---- */

bool pl_growth_is_log(const struct pl_growth *growth)
{
    return growth->executions >= LOG_FROM;
}

uint64_t pl_growth_executions(const struct pl_growth *growth, unsigned column, unsigned width)
{
    PL_ASSERT(width > 0);
    double all = (double)growth->executions, share = (double)(column + 1) / width;

    if (column + 1 >= width)
        return growth->executions;
    return (uint64_t)(pl_growth_is_log(growth) ? pow(all, share) : ceil(all * share));
}

unsigned pl_growth_column(const struct pl_growth *growth, uint64_t execution, unsigned width)
{
    PL_ASSERT(width > 0);
    unsigned low = 0, high = width - 1;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (pl_growth_executions(growth, middle, width) >= execution)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
