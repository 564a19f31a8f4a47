/* SPDX-License-Identifier: MIT */
/* See goal.h.  Several workers read and take at the same time: what one does twice does no harm. */
#include "model/goal.h"

#include "model/depend.h"

enum { PARTNERS = 64 }; /* of a site that are looked at in the middle of an execution */

/* ---- what has been shown ---- */

static bool is_open(const struct pl_judgements *v, const struct pl_pair *p, uint32_t pair,
                    unsigned direction)
{
    const struct pl_judged *of = pl_judged_of((struct pl_judgements *)v, pair, direction);

    return of != NULL && of->shown == 0 && (direction == 0 || p->a != p->b);
}

static uint32_t site_of(const struct pl_pair_table *t, const struct pl_cover *cover,
                        uint32_t statement)
{
    const struct pl_cover_statement *s = &cover->statements[statement];
    uint64_t pcs[2] = {s->pc, s->caller};

    return pl_pair_site_at(t, pcs, s->caller != 0 && (s->caller & PL_COVER_DEEP) == 0 ? 2 : 1);
}

static void show(struct pl_judgements *v, const struct pl_pair_table *t, uint32_t first,
                 uint32_t second)
{
    const struct pl_pair_site *of = &pl_pair_sites(t)[first];

    for (uint32_t i = 0; i < of->n_pairs; i++) {
        uint32_t pair = pl_pair_members(t)[of->first_pair + i];
        const struct pl_pair *p = &pl_pair_pairs(t)[pair];

        if (pl_pair_other(p, first) == second)
            pl_judged_show(v, pair, pl_judged_direction(p, first));
    }
}

static void read_task(struct pl_judgements *v, const struct pl_pair_table *t,
                      const struct pl_cover *cover, uint32_t entry)
{
    unsigned task = entry & ((1U << PL_COVER_TASK_BITS) - 1);
    uint32_t which = entry >> PL_COVER_TASK_BITS;

    if ((task != PL_COVER_TASK_LOWER && task != PL_COVER_TASK_HIGHER) || which == 0 ||
        which > PL_COVER_PAIRS)
        return;
    uint64_t key = cover->pairs[which - 1].key;
    uint32_t low = site_of(t, cover, (uint32_t)(key >> 32));
    uint32_t high = site_of(t, cover, (uint32_t)key - 1);

    if (low == PL_PAIR_NONE || high == PL_PAIR_NONE)
        return;
    if (task == PL_COVER_TASK_LOWER)
        show(v, t, low, high);
    else
        show(v, t, high, low);
}

void pl_goals_read(struct pl_goals *g, struct pl_judgements *v, const struct pl_pair_table *t,
                   const struct pl_cover *cover)
{
    uint32_t n = cover->n_log < PL_COVER_LOG ? cover->n_log : PL_COVER_LOG;

    for (uint32_t i = g->read; i < n; i++)
        read_task(v, t, cover, cover->log[i]);
    g->read = n;
}

void pl_goals_see(struct pl_goals_run *run, struct pl_judgements *v, const struct pl_pair_table *t,
                  uint64_t execution, const struct pl_operation *op, uint32_t site)
{
    const struct pl_pair_site *of = &pl_pair_sites(t)[site];

    for (uint32_t i = 0; i < of->n_pairs && i < PARTNERS; i++) {
        uint32_t pair = pl_pair_members(t)[of->first_pair + i];
        const struct pl_pair *p = &pl_pair_pairs(t)[pair];
        uint32_t first = pl_pair_other(p, site);
        const struct pl_goal_last *l = &run->last[first % PL_GOAL_SITES];

        if (l->execution == execution && l->site == first && l->op.tid != op->tid &&
            is_open(v, p, pair, pl_judged_direction(p, first)) &&
            pl_pair_concerns(p->kind, l->op.kind) && pl_pair_concerns(p->kind, op->kind) &&
            pl_depend(&l->op, op))
            pl_judged_show(v, pair, pl_judged_direction(p, first));
    }
    if (of->n_pairs > 0)
        run->last[site % PL_GOAL_SITES] =
            (struct pl_goal_last){.execution = execution, .site = site, .op = *op};
}

/* ---- goals ---- */

static uint64_t count_orders(const struct pl_pair_table *t)
{
    return 2 * (uint64_t)(t->n_pairs < PL_JUDGED_PAIRS ? t->n_pairs : PL_JUDGED_PAIRS);
}

bool pl_goals_take(struct pl_goals *g, const struct pl_judgements *v, const struct pl_pair_table *t,
                   struct pl_goal_order *goal)
{
    uint64_t orders = count_orders(t);

    while (g->next < PL_GOAL_TURNS * orders) {
        uint64_t at = atomic_fetch_add(&g->next, 1);
        uint32_t pair = (uint32_t)(at % orders / 2);
        unsigned direction = at % 2;
        const struct pl_pair *p = &pl_pair_pairs(t)[pair];

        if (at >= PL_GOAL_TURNS * orders || !is_open(v, p, pair, direction))
            continue;
        *goal = (struct pl_goal_order){.pair = pair,
                                       .first = direction == 0 ? p->a : p->b,
                                       .second = direction == 0 ? p->b : p->a,
                                       .direction = direction,
                                       .turn = (unsigned)(at / orders)};
        return true;
    }
    return false;
}

bool pl_goals_left(const struct pl_goals *g, const struct pl_pair_table *t)
{
    return g->next < PL_GOAL_TURNS * count_orders(t);
}

bool pl_goals_wait_at(const struct pl_judgements *v, const struct pl_pair_table *t, uint32_t site)
{
    const struct pl_pair_site *of = &pl_pair_sites(t)[site];

    for (uint32_t i = 0; i < of->n_pairs && i < PARTNERS; i++) {
        uint32_t pair = pl_pair_members(t)[of->first_pair + i];
        const struct pl_pair *p = &pl_pair_pairs(t)[pair];

        if (is_open(v, p, pair, pl_judged_direction(p, pl_pair_other(p, site))))
            return true;
    }
    return false;
}
