/* SPDX-License-Identifier: MIT */
/* See covered.h: numbers about a set. */
#include "base/assert.h"
#include "trace/covered.h"

#include <stdlib.h>

uint64_t pl_covered_position(const struct pl_covered *c, struct pl_covered_first first)
{
    uint64_t before = 0;

    if (first.execution == 0)
        return 0;
    for (size_t i = 0; i < c->n_campaigns; i++) {
        struct pl_covered_first start = {(uint32_t)i, 1}, own = {first.campaign, 1};

        if (pl_covered_earlier(c, start, own))
            before += c->campaigns[i].executions;
    }
    return before + first.execution;
}

static void set(struct pl_covered_possible *p, size_t a, size_t b)
{
    PL_ASSERT(a < p->n && b < p->n);
    size_t at = a * p->n + b;

    p->bits[at / 64] |= UINT64_C(1) << (at % 64);
}

/* Whatever one of them ran could be interrupted by what the other ran. */
static void cross(struct pl_covered_possible *p, const struct pl_covered_thread *t,
                  const struct pl_covered_thread *other)
{
    for (size_t i = 0; i < t->n_functions; i++) {
        for (size_t k = 0; k < other->n_functions; k++) {
            uint32_t a = p->rows[t->functions[i]], b = p->rows[other->functions[k]];

            if (a != UINT32_MAX && b != UINT32_MAX)
                set(p, a, b);
        }
    }
}

void pl_covered_possible(struct pl_covered_possible *p, const struct pl_covered *c)
{
    *p = (struct pl_covered_possible){0};
    p->functions = pl_err_must(calloc(c->n_functions + 1, sizeof(*p->functions)));
    p->rows = pl_err_must(calloc(c->n_functions + 1, sizeof(*p->rows)));
    for (size_t i = 0; i < c->n_functions; i++) {
        p->rows[i] = c->functions[i].executed ? (uint32_t)p->n : UINT32_MAX;
        if (c->functions[i].executed)
            p->functions[p->n++] = (uint32_t)i;
    }
    PL_ASSERT(p->n <= c->n_functions);
    p->bits = pl_err_must(calloc(p->n * p->n / 64 + 1, sizeof(*p->bits)));
    for (size_t i = 0; i < c->n_threads; i++) {
        const struct pl_covered_thread *t = &c->threads[i];

        for (size_t k = 0; k < t->n_together; k++)
            cross(p, t, &c->threads[t->together[k]]);
    }
    for (size_t i = 0; i < c->n_switches; i++) {
        uint32_t a = p->rows[c->switches[i].a], b = p->rows[c->switches[i].b];

        if (a != UINT32_MAX && b != UINT32_MAX)
            set(p, a, b);
    }
}

void pl_covered_possible_free(struct pl_covered_possible *p)
{
    free(p->functions);
    free(p->rows);
    free(p->bits);
    *p = (struct pl_covered_possible){0};
}

static void add(const struct pl_covered *c, struct pl_covered_sum *sum, unsigned model,
                struct pl_covered_first first)
{
    PL_ASSERT(model < PL_COVERED_MODELS);
    uint64_t at = pl_covered_position(c, first);

    sum->covered[model] += at != 0;
    if (at > sum->latest)
        sum->latest = at;
}

/* Both orders of what has been seen in one, unless that cannot be. */
static uint64_t count_orders(const struct pl_covered *c)
{
    struct pl_covered_orders orders;
    uint64_t n = 0;

    pl_covered_orders(&orders, c);
    for (size_t i = 0; i < orders.n; i++)
        n += orders.items[i].pair && orders.items[i].state != PL_COVERED_NEVER;
    pl_covered_orders_free(&orders);
    return n;
}

struct pl_covered_sum pl_covered_sum(const struct pl_covered *c)
{
    struct pl_covered_sum sum = {0};
    struct pl_covered_possible p;

    for (size_t i = 0; i < c->n_campaigns; i++)
        sum.executions += c->campaigns[i].executions;
    pl_covered_possible(&p, c);
    sum.total[0] = 2 * p.n;
    for (size_t i = 0; i < p.n * p.n / 64 + 1; i++)
        sum.total[1] += (unsigned)__builtin_popcountll(p.bits[i]);
    pl_covered_possible_free(&p);
    sum.total[2] = count_orders(c);
    for (size_t i = 0; i < c->n_functions; i++) {
        add(c, &sum, 0, c->functions[i].interrupted);
        add(c, &sum, 0, c->functions[i].whole);
    }
    for (size_t i = 0; i < c->n_switches; i++)
        add(c, &sum, 1, c->switches[i].first);
    for (size_t i = 0; i < c->n_pairs; i++)
        add(c, &sum, 2, c->pairs[i].first);
    return sum;
}
