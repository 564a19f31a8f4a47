/* SPDX-License-Identifier: MIT */
/*
 * hapset: what dpor asks (struct pl_dpor_guide).  Of what an execution shows to be explored, an
 * execution is planned only for an order of statements that is not known; and where nothing is
 * planned, whoever leads to the order that the execution is made for goes on.
 *
 * A plan has a goal, the number of what it is for.  With then=dpor nothing is dropped: what is not
 * wanted is planned as well, for later.
 */
#include "strategy/dpor/wakeup_later.h"
#include "strategy/hapset/hapset_search.h"

enum { PUT_OFF = 2000 }; /* events */

static struct pl_hapset_search *state_of(const void *of)
{
    return pl_hapset_of(of);
}

/* ---- what is wanted ---- */

/* If the operations of an order have no statements, it is never known. */
uint32_t pl_hapset_want(const struct pl_strategy_context *c, const struct pl_dpor *d,
                        struct pl_hapset_goal goal)
{
    struct pl_hapset_search *s = state_of(c);
    uint32_t last = d->pool.later.goal & PL_WAKEUP_GOAL;
    enum pl_hapset_phase phase = s->phase; /* in which it has its turn */

    PL_ASSERT(s->n_goals >= PL_HAPSET_FIRST_GOAL && s->n_goals <= s->goals_max);
    if (goal.statement == PL_COVER_NOTHING || goal.predecessor == PL_COVER_NOTHING)
        return PL_HAPSET_FORGOTTEN;
    /* What could have come before the end is asked only once: it does not wait for another phase.
     */
    if (phase == PL_HAPSET_SUSPECTS && (goal.statement & PL_HAPSET_END) == 0 &&
        !pl_hapset_suspect(c->hapset, goal.statement, goal.predecessor))
        phase = PL_HAPSET_RACES;
    if (phase == PL_HAPSET_RACES && goal.besides)
        phase = PL_HAPSET_ORDERS;
    goal.waits = s->phase == PL_HAPSET_SUSPECTS && phase == PL_HAPSET_RACES;
    if (pl_hapset_why(c->hapset, goal.statement, goal.predecessor) != 0 ||
        (phase > s->phase && !d->keep.on))
        return 0;
    if (last + 1 == s->n_goals && last >= s->first_goal && !d->pool.later.placed)
        s->n_goals--; /* it came to nothing: what it was for is planned already */
    if (s->n_goals == s->goals_max)
        return PL_HAPSET_FORGOTTEN;
    s->goals[s->n_goals] = goal;
    return pl_wakeup_ranked(s->n_goals++, phase > s->phase ? pl_hapset_rank(phase) : 0);
}

bool pl_hapset_aim(struct pl_dpor *d, uint32_t goal)
{
    if (goal == 0 && d->keep.on) {
        d->keep.dropped |= !pl_wakeup_later_roomy(&d->pool);
        goal = d->keep.dropped ? 0 : PL_WAKEUP_LATER;
    }
    d->pool.later.goal = goal;
    d->pool.later.placed = false;
    return goal != 0;
}

/* A goal for the order in which the second one of the race comes before the first; or 0. */
static uint32_t want_reversed(void *of, const struct pl_dpor *d, const struct pl_past_race *race)
{
    const struct pl_past *p = &d->past;
    uint32_t first = race->taken[0];
    const struct pl_past_record *r = pl_past_record_of(p, first);
    struct pl_hapset_goal goal = {
        .statement = pl_hapset_statement_at(state_of(of), first),
        .ordinal = r->op.ordinal,
        .thread = r->thread,
        .due = true,
    };

    if (race->pending)
        goal.predecessor = p->pending[race->second].op.statement;
    else
        goal.predecessor = pl_hapset_statement_at(state_of(of), race->second);
    if (!race->pending && pl_past_record_of(p, race->second)->ends &&
        !pl_past_before(p, first, race->second))
        goal.predecessor |= PL_HAPSET_END; /* it ends the program before the first */
    uint32_t wanted = pl_hapset_want(of, d, goal);

    return wanted != 0 ? wanted : pl_hapset_shown(of, d, race);
}

/* Whether to plan the reversal; if that is a matter of threads only, it is done here. */
static bool aim_at_race(void *of, struct pl_dpor *d, const struct pl_past_race *race)
{
    const struct pl_hapset_search *s = state_of(of);
    uint32_t first = pl_past_first(race);
    uint16_t thread =
        race->pending ? d->past.pending[race->second].thread : d->past.events[race->second].thread;
    bool asked = !race->pending && race->second < d->replay.n; /* after an earlier execution */

    PL_ASSERT(thread != d->past.events[race->taken[0]].thread);
    if (d->keep.on && (asked || !pl_hapset_bound_affords(s, &d->frames[first], thread)))
        return pl_hapset_aim(d, 0);
    if (!pl_hapset_aim(d, want_reversed(of, d, race)))
        return false;
    if (d->variant != PL_DPOR_SLEEPLESS)
        return true;
    pl_hapset_bound_backtrack(s, d, first);
    return false;
}

static bool aim_at_outcome(void *of, struct pl_dpor *d, uint32_t e, unsigned i, unsigned way)
{
    return pl_hapset_aim(d, pl_hapset_want(of, d,
                                           (struct pl_hapset_goal){
                                               .statement = pl_hapset_statement_at(state_of(of), e),
                                               .predecessor = pl_hapset_outcome(i, way)}));
}

static bool aim_before_end(void *of, struct pl_dpor *d, uint32_t e, uint16_t thread,
                           const struct pl_operation *op)
{
    const struct pl_hapset_search *s = state_of(of);

    if (!pl_hapset_bound_affords(s, &d->frames[e], thread))
        return pl_hapset_aim(d, 0);
    return pl_hapset_aim(
        d, pl_hapset_want(
               of, d,
               (struct pl_hapset_goal){.statement = pl_hapset_statement_at(s, e) | PL_HAPSET_END,
                                       .predecessor = op->statement}));
}

/* ---- what is not wanted any more ---- */

/* The order has been shown meanwhile, by an execution that was made for another one. */
static bool is_settled(void *of, uint32_t goal)
{
    const struct pl_strategy_context *c = of;
    const struct pl_hapset_goal *g = &state_of(c)->goals[goal];

    PL_ASSERT(goal < state_of(c)->n_goals);
    return goal >= PL_HAPSET_FIRST_GOAL &&
           (g->waits || ((g->order || g->besides) &&
                         pl_hapset_why(c->hapset, g->statement, g->predecessor) != 0));
}

/* Where nothing is kept for later, what was planned for a goal that is settled goes. */
static void drop_settled(void *of, struct pl_dpor *d, struct pl_dpor_frame *f)
{
    while (f->wut != 0 && !d->keep.on) {
        struct pl_wakeup_node *node = &d->pool.nodes[f->wut];
        uint32_t first = f->wut;

        if (node->goal == 0 || node->child != 0 || !is_settled(of, node->goal))
            return;
        PL_STORE(f->wut, node->next);
        node->next = 0;
        pl_wakeup_free(&d->pool, first);
    }
}

/* ---- who goes on ---- */

/* The operation that the goal is waiting for, if there is one. */
static bool find_due(void *of, const struct pl_dpor *d, uint16_t *thread, uint32_t *ordinal)
{
    const struct pl_hapset_search *s = state_of(of);
    const struct pl_hapset_goal *g = &s->goals[s->goal];
    uint16_t wanted = PL_DPOR_NOBODY, held;

    if (s->goal < PL_HAPSET_FIRST_GOAL)
        return false;
    pl_hapset_pursue(s, d, &wanted, &held);
    *thread = g->thread;
    *ordinal = g->ordinal;
    return g->due && wanted == PL_DPOR_NOBODY;
}

/*
 * Something else comes where what the goal waits for could have.  Not for ever: in a
 * loop it might be put off until the loop is cut short.
 */
static unsigned put_off(void *of, struct pl_dpor *d, const struct pl_view *view, unsigned taken)
{
    struct pl_hapset_search *s = state_of(of);
    uint32_t ordinal, at = d->replay.at;
    uint16_t thread;

    if (!find_due(of, d, &thread, &ordinal))
        return taken;
    int option = pl_dpor_option(d, view, thread);

    if (option < 0 || (unsigned)option == taken || view->next[option]->ordinal != ordinal)
        return taken;
    if (s->missed == PL_PAST_NONE)
        s->missed = at;
    PL_ASSERT(s->missed <= at);
    return at - s->missed < PUT_OFF || !pl_hapset_bound_affords(s, &d->frames[at], thread)
               ? taken
               : (unsigned)option;
}

static unsigned choose_for_goal(void *of, struct pl_dpor *d, const struct pl_view *view)
{
    const struct pl_hapset_search *s = state_of(of);
    const struct pl_dpor_frame *f = &d->frames[d->replay.at];
    uint16_t wanted = PL_DPOR_NOBODY, held = PL_DPOR_NOBODY;

    pl_hapset_pursue(s, d, &wanted, &held);
    int option = wanted != PL_DPOR_NOBODY ? pl_dpor_option(d, view, wanted) : -1;

    if (option >= 0 && pl_hapset_bound_affords(s, f, wanted) &&
        (!d->keep.on || pl_dpor_is_open(d, view, (unsigned)option)))
        return (unsigned)option;
    option = pl_hapset_bound_runner(s, d, view, f);
    if (option >= 0 && (!d->keep.on || pl_dpor_is_open(d, view, (unsigned)option)))
        return (unsigned)option;
    return pl_dpor_usual(d, view, held);
}

static unsigned choose(void *of, struct pl_dpor *d, const struct pl_view *view)
{
    return put_off(of, d, view, choose_for_goal(of, d, view));
}

static void arrive(void *of, struct pl_dpor *d, const struct pl_view *view, struct pl_dpor_frame *f)
{
    pl_hapset_bound_arrive(state_of(of), d, view, f);
}

const struct pl_dpor_guide pl_hapset_guide = {
    .race = aim_at_race,
    .outcome = aim_at_outcome,
    .before_end = aim_before_end,
    .arrive = arrive,
    .choose = choose,
    .prune = drop_settled,
    .settled = is_settled,
};
