/* SPDX-License-Identifier: MIT */
/* See aim.h. */
#include "strategy/shared/aim.h"

#include "model/depend.h"

enum { PATIENCE = 20000 }; /* choices for which somebody waits */

static const uint8_t ways[PL_GOAL_TURNS] = {PL_AIM_STRAIGHT, PL_AIM_DRAWN,        PL_AIM_STRAIGHT,
                                            PL_AIM_DRAWN,    PL_AIM_BEFORE_LOCKS, PL_AIM_LATER};

void pl_aim_begin(struct pl_aim *a, const struct pl_goal_order *goal)
{
    PL_ASSERT(goal->turn < PL_GOAL_TURNS);
    a->on = true;
    a->found = false;
    a->way = ways[goal->turn];
    a->goal = *goal;
    a->held = (struct pl_operation){.tid = PL_TID_NONE};
    a->visits = a->way == PL_AIM_LATER;
    a->waited = 0;
    for (unsigned i = 0; i < PL_THREADS_MAX; i++)
        a->at[i] = 0;
}

void pl_aim_come(struct pl_aim *a, const struct pl_strategy_context *c,
                 const struct pl_operation *op, bool holds)
{
    uint64_t pcs[PL_PAIR_FRAMES];
    bool whole;
    unsigned n = c->stack(op->tid, pcs, PL_PAIR_FRAMES, &whole);
    bool waits = pl_pair_site_at(c->pairs, pcs, n) == a->goal.second &&
                 pl_pair_concerns(pl_pair_pairs(c->pairs)[a->goal.pair].kind, op->kind);
    bool second = a->way != PL_AIM_DRAWN && a->way != PL_AIM_LATER &&
                  pl_pair_reaches(c->pairs, pcs, n, whole, false, a->goal.second);
    bool first =
        a->way == PL_AIM_STRAIGHT && pl_pair_reaches(c->pairs, pcs, n, whole, false, a->goal.first);

    if (a->way == PL_AIM_BEFORE_LOCKS)
        waits = !holds && second && pl_operation_is(op->kind, PL_ROLE_ACQUIRES);
    if (waits && a->visits > 0) {
        a->visits--;
        waits = false;
    }
    a->at[op->tid] = (uint8_t)((waits ? PL_AIM_WAITS : 0) | (first ? PL_AIM_TO_FIRST : 0) |
                               (second ? PL_AIM_TO_SECOND : 0));
}

/* Whether the thread waits where it is: one does at a time. */
static bool waits(struct pl_aim *a, const struct pl_operation *op)
{
    if ((a->at[op->tid] & PL_AIM_WAITS) == 0 ||
        (a->held.tid != PL_TID_NONE && a->held.tid != op->tid))
        return false;
    a->held = *op;
    return true;
}

/* Nobody else can go on: he does, and whoever comes next may be the one who should wait. */
static unsigned let_go(struct pl_aim *a, const struct pl_view *view, unsigned *may)
{
    a->at[a->held.tid] = 0;
    a->held.tid = PL_TID_NONE;
    for (unsigned i = 0; i < view->options; i++)
        may[i] = i;
    return view->options;
}

/* Of those in may[], who can come to what is sought next; all of them, if nobody can. */
static unsigned keep_straight(const struct pl_aim *a, const struct pl_view *view, unsigned *may,
                              unsigned n)
{
    unsigned to = a->held.tid != PL_TID_NONE ? PL_AIM_TO_FIRST : PL_AIM_TO_SECOND, kept = 0;

    for (unsigned i = 0; i < n; i++) {
        if ((a->at[view->next[may[i]]->tid] & to) != 0)
            may[kept++] = may[i];
    }
    return kept > 0 ? kept : n;
}

unsigned pl_aim_filter(struct pl_aim *a, const struct pl_view *view, unsigned *may)
{
    unsigned n = 0;

    if (a->waited >= PATIENCE)
        a->on = false;
    for (unsigned i = 0; i < view->options; i++) {
        if (a->found && view->next[i]->tid == a->held.tid) {
            a->on = false;
            may[0] = i;
            return 1;
        }
        if (!a->on || a->found || !waits(a, view->next[i]))
            may[n++] = i;
    }
    PL_ASSERT(n > 0 || a->held.tid != PL_TID_NONE);
    if (n == 0)
        return let_go(a, view, may);
    if (a->on && !a->found && a->way == PL_AIM_STRAIGHT)
        n = keep_straight(a, view, may, n);
    a->waited += n < view->options;
    return n;
}

bool pl_aim_see(struct pl_aim *a, const struct pl_operation *op, uint32_t site)
{
    struct pl_operation held = a->held;

    if (!a->found && held.tid == op->tid)
        a->held.tid = PL_TID_NONE; /* nobody else could go on, and nobody was asked */
    if (a->found || held.tid == PL_TID_NONE || held.tid == op->tid || site != a->goal.first)
        return false;
    held.effect = (uint8_t)pl_operation_effect(held.kind);
    held.other_effect = held.other != 0 ? PL_EFFECT_WRITE : PL_EFFECT_NONE;
    a->found = a->way == PL_AIM_BEFORE_LOCKS || pl_depend(&held, op);
    return a->found;
}
