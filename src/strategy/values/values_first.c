/* SPDX-License-Identifier: MIT */
/*
 * values: the priority pass.
 *
 * An execution without any switch shows where threads come to statements that are in pairs.  For
 * each of these, and each partner that others could come to, there is one more execution with one
 * switch: the thread stops there, somebody else goes on until the partner has come, and then all
 * goes on as it likes.  Pairs with the greatest priority have their turn first; an order that an
 * execution has shown meanwhile needs none.
 *
 * These executions are samples: they belong to no class that the search could leave out.
 */
#include "model/depend.h"
#include "strategy/shared/view.h"
#include "strategy/values/values_search.h"

enum {
    INSTANCES = 2,    /* of one order that are tried */
    PATIENCE = 10000, /* choices for which the thread stops: less than loops are let alone for */
};

enum seeking { LOOKING, COMING, SEEKING, FOUND, OVER };

static struct pl_values *state_of(const struct pl_strategy_context *c)
{
    return pl_values_of(c);
}

static struct pl_values_order *order_of(struct pl_values *s)
{
    PL_ASSERT(s->at_order > 0 && s->at_order <= s->n_orders);
    return &s->orders[s->at_order - 1];
}

static unsigned direction_of(const struct pl_strategy_context *c, const struct pl_values_order *o)
{
    return pl_judged_direction(&pl_pair_pairs(c->pairs)[o->pair], o->target);
}

/* ---- which orders ---- */

static bool is_shown(const struct pl_strategy_context *c, const struct pl_values_order *o)
{
    const struct pl_judged *v = pl_judged_of(c->verdicts, o->pair, direction_of(c, o));

    return v != NULL && (v->shown != 0 || v->of[PL_JUDGED_FULFILLED] != 0);
}

/* Of the same priority that of the later trigger comes first, then as the table has them. */
static bool is_before(const struct pl_values_order *a, const struct pl_values_order *b)
{
    return a->priority != b->priority ? a->priority > b->priority : a->point > b->point;
}

/* The next one to be tried; 0: none is left. */
static uint32_t next_order(const struct pl_strategy_context *c)
{
    const struct pl_values *s = state_of(c);
    uint32_t best = 0;

    for (uint32_t i = 0; i < s->n_orders; i++) {
        const struct pl_values_order *o = &s->orders[i];

        if (!o->done && !is_shown(c, o) && (best == 0 || is_before(o, &s->orders[best - 1])))
            best = i + 1;
    }
    return best;
}

/* Whether whoever could come to the target is known to be at another object there. */
static bool is_settled(const struct pl_strategy_context *c, const struct pl_values_order *o,
                       struct pl_judged *what)
{
    if (o->others == UINT64_MAX)
        return false;
    what->from = o->addr;
    for (pl_tid tid = 0; tid < 63; tid++) {
        if ((o->others >> tid & 1) == 0)
            continue;
        if (!pl_values_is_apart(c, o->era, tid, o->target, o->addr, o->size, &what->to))
            return false;
        what->thread = tid;
    }
    return true;
}

/* Orders that need no attempt any more. */
static void delete_settled(const struct pl_strategy_context *c)
{
    struct pl_values *s = state_of(c);

    for (uint32_t i = 0; i < s->n_orders && s->n_bases > 0; i++) {
        struct pl_values_order *o = &s->orders[i];
        struct pl_judged what = {0};

        if (o->done || !is_settled(c, o, &what))
            continue;
        o->done = true;
        pl_judged_delete(c->verdicts, o->pair, direction_of(c, o), &what);
    }
}

static void add_order(struct pl_values *s, const struct pl_values_order *o)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < s->n_orders; i++)
        n += s->orders[i].pair == o->pair && s->orders[i].target == o->target;
    if (n < INSTANCES && s->n_orders < s->orders_max)
        s->orders[s->n_orders++] = *o;
}

static const struct pl_operation *thread_at(const struct pl_view *view, unsigned i)
{
    return i < view->options ? view->next[i] : view->blocked[i - view->options];
}

/* Threads that could come to the target before the trigger, as bits: all if it is not known who. */
static uint64_t others_of(const struct pl_strategy_context *c, const struct pl_view *view,
                          const struct pl_operation *trigger, uint32_t target)
{
    uint64_t others = 0;

    for (unsigned i = 0; i < view->options + view->n_blocked; i++) {
        const struct pl_operation *op = thread_at(view, i);

        if (op->tid == trigger->tid || !pl_values_comes(c, op, trigger, target))
            continue;
        others |=
            op->tid < 63 && !pl_values_sends(c, op, target) ? UINT64_C(1) << op->tid : UINT64_MAX;
    }
    return others;
}

/* The thread comes to a statement: which partners could come before it? */
static void look(const struct pl_strategy_context *c, const struct pl_view *view,
                 const struct pl_operation *op)
{
    uint32_t site = pl_values_site(c, op);

    if (site == PL_PAIR_NONE || view->options + view->n_blocked < 2)
        return;
    const struct pl_pair_site *of = &pl_pair_sites(c->pairs)[site];

    for (uint32_t i = 0; i < of->n_pairs; i++) {
        uint32_t pair = pl_pair_members(c->pairs)[of->first_pair + i];
        const struct pl_pair *p = &pl_pair_pairs(c->pairs)[pair];
        struct pl_values_order o = {.name = op->name,
                                    .ordinal = op->ordinal,
                                    .pair = pair,
                                    .target = pl_pair_other(p, site),
                                    .point = state_of(c)->points,
                                    .priority = p->priority,
                                    .addr = op->addr,
                                    .size = pl_values_apart_size(op),
                                    .era = state_of(c)->era};

        if (!pl_values_concerns(p, op) || !pl_values_wanted(c, pair))
            continue;
        o.others = others_of(c, view, op, o.target);
        if (o.others != 0)
            add_order(state_of(c), &o);
    }
    state_of(c)->points++;
}

/* ---- an execution ---- */

void pl_values_first_begin(struct pl_strategy_context *c)
{
    struct pl_values *s = state_of(c);

    pl_values_path_begin(c);
    s->seeking = s->first_made ? COMING : LOOKING;
    s->seeker = 0;
    s->last = (struct pl_operation){.tid = PL_TID_NONE};
    s->depth = 0;
    if (s->first_made)
        pl_judged_try(c->verdicts, order_of(s)->pair, direction_of(c, order_of(s)));
}

static unsigned usual(const struct pl_values *s, const struct pl_view *view)
{
    if (view->running >= 0 || !s->newest || view->kind != PL_CHOICE_THREAD)
        return pl_view_default(view);
    return view->options - 1;
}

static unsigned give_up(struct pl_strategy_context *c, const struct pl_view *view,
                        enum pl_judged_kind kind, struct pl_judged *what)
{
    struct pl_values *s = state_of(c);

    (void)view;
    pl_judged_add(c->verdicts, order_of(s)->pair, direction_of(c, order_of(s)), what, kind);
    s->seeking = OVER;
    return PL_CHOOSE_ABORT;
}

/* Nobody but the thread that stops can go on, or nobody can come to the partner. */
static unsigned despair(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_values *s = state_of(c);
    uint32_t target = order_of(s)->target;
    struct pl_judged what = {.thread = s->last.tid};

    for (unsigned i = 0; i < view->n_blocked; i++) {
        const struct pl_operation *op = view->blocked[i];

        if (op->tid == s->trigger.tid || !pl_values_comes(c, op, &s->trigger, target))
            continue;
        what.thread = op->tid;
        what.from = op->pc;
        return give_up(c, view, pl_values_judge_waiting(c), &what);
    }
    return give_up(c, view, pl_values_judge_why(c, view, &s->trigger, target, &what), &what);
}

/* Who leads to the partner; -1: nobody. */
static int seek(const struct pl_strategy_context *c, const struct pl_view *view)
{
    const struct pl_values *s = state_of(c);
    uint32_t target = s->orders[s->at_order - 1].target;
    int other = -1;

    for (unsigned i = 0; i < view->options; i++) {
        const struct pl_operation *op = view->next[i];

        if (op->tid == s->trigger.tid || (s->seeker != 0 && op->name != s->seeker))
            continue;
        if (pl_values_comes(c, op, &s->trigger, target))
            return (int)i;
    }
    for (unsigned i = 0; i < view->options; i++) {
        const struct pl_operation *op = view->next[i];

        if (op->tid == s->trigger.tid || op->early)
            continue;
        if (pl_values_comes(c, op, &s->trigger, target))
            return (int)i;
        if (other < 0)
            other = (int)i;
    }
    /* He may be who lets another go on. */
    return !s->reachability || others_of(c, view, &s->trigger, target) != 0 ? other : -1;
}

static unsigned choose_seeking(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_values *s = state_of(c);
    int option = seek(c, view);

    if (++s->depth > PATIENCE) {
        struct pl_judged what = {.thread = s->last.tid};

        return give_up(c, view, PL_JUDGED_LIMIT, &what);
    }
    if (option < 0)
        return despair(c, view);
    s->seeker = view->next[option]->name;
    return (unsigned)option;
}

/* The partner has come: now the one that stopped, as soon as it can. */
static unsigned choose_found(struct pl_values *s, const struct pl_view *view)
{
    for (unsigned i = 0; i < view->options; i++) {
        if (view->next[i]->tid == s->trigger.tid) {
            s->seeking = OVER;
            return i;
        }
    }
    return usual(s, view);
}

unsigned pl_values_first_choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_values *s = state_of(c);
    unsigned option = usual(s, view);

    if (view->kind != PL_CHOICE_THREAD)
        return option;
    switch ((enum seeking)s->seeking) {
    case LOOKING:
        look(c, view, view->next[option]);
        return option;
    case COMING:
        if (view->next[option]->name != order_of(s)->name ||
            view->next[option]->ordinal != order_of(s)->ordinal)
            return option;
        s->trigger = *view->next[option];
        s->seeking = SEEKING;
        return choose_seeking(c, view);
    case SEEKING:
        return choose_seeking(c, view);
    case FOUND:
        return choose_found(s, view);
    case OVER:
        break;
    }
    return option;
}

/* The partner has come, to another object. */
static void learn(struct pl_strategy_context *c, const struct pl_operation *op, uint32_t site)
{
    struct pl_values *s = state_of(c);
    const struct pl_pair *p = &pl_pair_pairs(c->pairs)[order_of(s)->pair];

    if (!s->reachability)
        return;
    pl_values_apart_learn(c, op, site);
    pl_values_apart_learn(c, &s->trigger, pl_pair_other(p, site));
}

void pl_values_first_observe(struct pl_strategy_context *c, const struct pl_operation *op,
                             uint32_t site)
{
    struct pl_values *s = state_of(c);

    s->last = *op;
    s->last_site = site;
    if (pl_operation_is(op->kind, PL_ROLE_CREATES))
        s->roots |= site != PL_PAIR_NONE ? pl_pair_sites(c->pairs)[site].creates : UINT64_MAX;
    if (s->seeking != SEEKING || site != order_of(s)->target)
        return;
    struct pl_operation trigger = s->trigger;

    trigger.effect = (uint8_t)pl_operation_effect(trigger.kind);
    trigger.other_effect = trigger.other != 0 ? PL_EFFECT_WRITE : PL_EFFECT_NONE;
    if (!pl_depend(&trigger, op)) {
        learn(c, op, site);
        return;
    }
    s->seeking = FOUND;
    s->fulfilled = order_of(s)->pair + 1;
    s->direction = direction_of(c, order_of(s));
    pl_judged_add(c->verdicts, order_of(s)->pair, s->direction, &(struct pl_judged){0},
                  PL_JUDGED_FULFILLED);
}

bool pl_values_first_end(struct pl_strategy_context *c)
{
    struct pl_values *s = state_of(c);

    if (s->first_made && (s->seeking == SEEKING || s->seeking == COMING)) {
        /* It ended meanwhile: in a deadlock, or otherwise. */
        struct pl_judged what = {.thread = s->last.tid, .from = s->last.pc};

        pl_judged_add(c->verdicts, order_of(s)->pair, direction_of(c, order_of(s)), &what,
                      c->stuck && s->seeking == SEEKING ? PL_JUDGED_BLOCKED : PL_JUDGED_SUPERSEDED);
    }
    if (s->first_made)
        order_of(s)->done = true;
    s->first_made = true;
    delete_settled(c);
    s->at_order = next_order(c);
    return s->at_order != 0;
}
