/* SPDX-License-Identifier: MIT */
/* See covered.h: numbers about a set. */
#include "base/assert.h"
#include "trace/covered.h"

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
    for (size_t i = 0; i < c->n_functions; i++)
        sum.total[0] +=
            (unsigned)pl_covered_is_task(&c->functions[i], c->functions[i].interrupted) +
            pl_covered_is_task(&c->functions[i], c->functions[i].whole);
    sum.total[1] = p.total;
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
