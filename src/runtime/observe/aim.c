/* SPDX-License-Identifier: MIT */
/* See aim.h. */
#include "runtime/observe/aim.h"

#include "model/common.h"
#include "runtime/core/strategy.h"
#include "runtime/observe/pairs.h"

enum { OPENING = 64 }; /* executions */

static const struct pl_pair_table *table(void)
{
    return pl_strategy_is(pl_stage->strategy, PL_TRAIT_AIMS) ? pl_stage->context.pairs : NULL;
}

void pl_aim_learn(void)
{
    if (table() != NULL)
        pl_goals_read(&pl_common->goals, &pl_common->verdicts, table(), &pl_common->cover);
}

bool pl_aim_left(void)
{
    return table() != NULL && pl_goals_left(&pl_common->goals, table());
}

bool pl_aim_waits(const struct pl_operation *op)
{
    /* Of locks coverage cannot tell what has been shown: a release lies between. */
    bool memory = pl_operation_is(op->kind, PL_ROLES(PLAIN, ATOMIC));
    const struct pl_pair_table *t = memory ? table() : NULL;
    uint32_t site = t != NULL ? pl_pair_site_at(t, &op->pc, 1) : PL_PAIR_NONE;

    return site != PL_PAIR_NONE && pl_goals_wait_at(&pl_common->verdicts, t, site);
}

static unsigned lead(const struct pl_view *view)
{
    unsigned *may = pl_stage->scratch.may;

    if (view->kind != PL_CHOICE_THREAD)
        return pl_stage->strategy->choose(&pl_stage->context, view);
    return pl_strategy_among(view, may, pl_aim_filter(&pl_stage->aim, view, may));
}

/* Whether the execution is drawn; a strategy that shares executions out leads those of members that
 * draw them. */
static bool is_drawn(void)
{
    const struct pl_strategy *s = pl_stage->strategy;
    const struct pl_strategy *m = s->member != NULL ? s->member(&pl_stage->context) : s;

    /* One that draws none by itself asks for it. */
    return !pl_free && pl_strategy_samples() && (m == s || pl_strategy_is(m, PL_TRAIT_SAMPLES));
}

/* One that has other executions besides is led in all of the first ones that it draws. */
static bool is_led(void)
{
    bool draws_all = pl_strategy_is(pl_stage->strategy, PL_TRAIT_SAMPLES);

    return !pl_stage->seeking && !pl_board->measuring &&
           (pl_board->execution % 2 != 0 || (!draws_all && pl_board->execution < OPENING));
}

/* After that of sought.c: what the user seeks comes first.  What is not written need not be put
 * back. */
static void begun(void)
{
    struct pl_goal_order goal;
    bool aiming = pl_aim_left() && is_drawn();

    if (pl_stage->aiming != aiming)
        pl_stage->aiming = aiming;
    if (pl_stage->aim.on)
        pl_stage->aim.on = false;
    if (!aiming || !is_led())
        return;
    pl_aim_learn();
    if (!pl_goals_take(&pl_common->goals, &pl_common->verdicts, table(), &goal))
        return;
    pl_aim_begin(&pl_stage->aim, &goal);
    pl_common->goals.aimed++;
    pl_stage->leads = lead;
}

static bool wanted(bool rooted)
{
    return rooted && pl_stage->aiming;
}

static void announced(struct pl_thread *t, struct pl_operation *op)
{
    struct pl_aim *a = &pl_stage->aim;

    if (a->on)
        pl_aim_come(a, &pl_stage->context, op, pl_thread_listed(t) > 0);
}

static uint32_t site_of(const struct pl_thread *t, const struct pl_operation *op)
{
    const struct pl_pair_table *table = pl_stage->context.pairs;
    uint32_t position = pl_pair_position_at(table, op->pc);
    uint64_t pcs[PL_PAIR_FRAMES];
    bool whole;

    if (position != PL_PAIR_NONE)
        return pl_pair_positions(table)[position].site;
    return pl_pair_site_at(table, pcs, pl_pairs_stack(t->id, pcs, PL_PAIR_FRAMES, &whole));
}

static void performed(struct pl_thread *t, const struct pl_operation *op)
{
    uint32_t site = site_of(t, op);

    if (site != PL_PAIR_NONE)
        pl_goals_see(&pl_stage->goals, &pl_common->verdicts, pl_stage->context.pairs,
                     pl_board->execution, op, site);
    if (pl_stage->aim.on && pl_aim_see(&pl_stage->aim, op, site))
        pl_common->goals.met++;
}

const struct pl_observer pl_aim_observer = {
    .wanted = wanted, .begun = begun, .announced = announced, .performed = performed};
