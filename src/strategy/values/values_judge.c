/* SPDX-License-Identifier: MIT */
/*
 * values: what came of attempts.
 *
 * To let somebody else go on where a thread stands before its operation is an attempt at each pair
 * that the operation is in and whose other statement can be reached: that is to come first.  The
 * attempt is fulfilled when it does.  It is in vain when it cannot any more: the step after which
 * that is so says why.  Attempts of the same switch that are left when one is fulfilled are
 * superseded: what comes of them is seen by those that begin where this one ends.  So are those of
 * an execution that is given up because an earlier switch, which it builds on, cannot come true.
 */
#include "model/depend.h"
#include "strategy/values/values_search.h"

static struct pl_values *state_of(const struct pl_strategy_context *c)
{
    return pl_values_of(c);
}

static const struct pl_operation *thread_at(const struct pl_view *view, unsigned i)
{
    return i < view->options ? view->next[i] : view->blocked[i - view->options];
}

/* What a thread is about to do; NULL: it has ended. */
static const struct pl_operation *find_thread(const struct pl_view *view, pl_tid tid)
{
    for (unsigned i = 0; i < view->options + view->n_blocked; i++) {
        if (thread_at(view, i)->tid == tid)
            return thread_at(view, i);
    }
    return NULL;
}

/* Whether somebody but the trigger's thread can come to the target. */
static bool is_reachable(const struct pl_strategy_context *c, const struct pl_view *view,
                         const struct pl_operation *trigger, uint32_t target)
{
    for (unsigned i = 0; i < view->options + view->n_blocked; i++) {
        const struct pl_operation *op = thread_at(view, i);

        if (op->tid != trigger->tid && pl_values_comes(c, op, trigger, target))
            return true;
    }
    return false;
}

/* ---- why not ---- */

/* Whether a call that the thread is in could have led to the site, had it been of another function.
 */
static uint64_t other_callee(const struct pl_strategy_context *c, const struct pl_values_stack *at,
                             uint32_t site)
{
    for (unsigned i = 1; i < at->n && at->whole; i++) {
        uint32_t position = pl_pair_position_at(c->pairs, at->pcs[i]);

        if (position != PL_PAIR_NONE &&
            pl_pair_reaches(c->pairs, at->pcs + i, 1, true, false, site))
            return at->pcs[i];
    }
    return 0;
}

enum pl_judged_kind pl_values_judge_why(const struct pl_strategy_context *c,
                                        const struct pl_view *view,
                                        const struct pl_operation *trigger, uint32_t target,
                                        struct pl_judged *what)
{
    const struct pl_values *s = state_of(c);
    uint64_t roots = pl_pair_sites(c->pairs)[target].roots;
    const struct pl_operation *now = find_thread(view, s->last.tid);

    what->thread = s->last.tid;
    what->from = trigger->addr;
    what->to = s->last.addr;
    if (s->last_site == target || pl_values_is_apart(c, s->era, s->last.tid, target, trigger->addr,
                                                     pl_values_apart_size(trigger), &what->to))
        return PL_JUDGED_ALIAS;
    what->from = what->to = 0;
    if (roots != 0 && (roots & s->roots) == 0)
        return PL_JUDGED_UNSTARTED;
    what->from = s->last.pc;
    what->to = now != NULL ? now->pc : 0;
    if (now != NULL) {
        struct pl_values_stack at;

        pl_values_where(c, now, &at);
        uint64_t call = other_callee(c, &at, target);

        if (call != 0) {
            what->from = call;
            return PL_JUDGED_CALLEE;
        }
    }
    return PL_JUDGED_BRANCH;
}

enum pl_judged_kind pl_values_judge_waiting(const struct pl_strategy_context *c)
{
    return c->withheld ? PL_JUDGED_LOOP : PL_JUDGED_BLOCKED;
}

static const struct pl_operation *trigger_of(const struct pl_values *s)
{
    PL_ASSERT(s->trigger_record < s->past.n_records);
    return &s->past.records[s->trigger_record].op;
}

/* Somebody who could come to the target, but waits. */
static void find_waiting(const struct pl_strategy_context *c, const struct pl_view *view,
                         uint32_t target, struct pl_judged *what)
{
    const struct pl_operation *trigger = trigger_of(state_of(c));

    for (unsigned i = 0; i < view->n_blocked; i++) {
        if (view->blocked[i]->tid == trigger->tid ||
            !pl_values_comes(c, view->blocked[i], trigger, target))
            continue;
        what->thread = view->blocked[i]->tid;
        what->from = view->blocked[i]->pc;
        return;
    }
}

/* ---- a switch ---- */

static void close_intention(struct pl_strategy_context *c, uint32_t i, enum pl_judged_kind kind,
                            const struct pl_judged *what)
{
    struct pl_values *s = state_of(c);
    const struct pl_values_intention *of = &s->intentions[i];

    PL_ASSERT(i < s->n_intentions);
    pl_judged_add(c->verdicts, of->pair,
                  pl_judged_direction(&pl_pair_pairs(c->pairs)[of->pair], of->target), what, kind);
    s->intentions[i] = s->intentions[--s->n_intentions];
}

void pl_values_judge_switch(struct pl_strategy_context *c, const struct pl_view *view,
                            const struct pl_values_sleeper *trigger)
{
    struct pl_values *s = state_of(c);
    const struct pl_operation *op = &s->past.records[trigger->record].op;

    s->n_intentions = 0;
    s->trigger_record = trigger->record;
    if (c->verdicts == NULL || trigger->site == PL_PAIR_NONE)
        return;
    const struct pl_pair_site *of = &pl_pair_sites(c->pairs)[trigger->site];

    __atomic_fetch_add(&c->verdicts->switches, 1, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < of->n_pairs && s->n_intentions < PL_VALUES_INTENTIONS; i++) {
        uint32_t pair = pl_pair_members(c->pairs)[of->first_pair + i];
        const struct pl_pair *p = &pl_pair_pairs(c->pairs)[pair];
        uint32_t target = pl_pair_other(p, trigger->site);

        if (!pl_values_concerns(p, op) || !pl_values_wanted(c, pair) ||
            !is_reachable(c, view, op, target))
            continue;
        pl_judged_try(c->verdicts, pair, pl_judged_direction(p, target));
        s->intentions[s->n_intentions++] =
            (struct pl_values_intention){.pair = pair, .target = target};
    }
}

/* A target has come, to another object than the trigger. */
static void learn_from(struct pl_strategy_context *c, const struct pl_values_intention *of)
{
    const struct pl_pair *p = &pl_pair_pairs(c->pairs)[of->pair];

    pl_values_apart_learn(c, &state_of(c)->last, of->target);
    pl_values_apart_learn(c, trigger_of(state_of(c)), pl_pair_other(p, of->target));
}

void pl_values_judge_step(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_values *s = state_of(c);
    const struct pl_operation *trigger = trigger_of(s);

    for (uint32_t i = 0; i < s->n_intentions && s->reachability; i++) {
        if (s->intentions[i].target == s->last_site)
            learn_from(c, &s->intentions[i]);
    }

    for (uint32_t i = s->n_intentions; i > 0 && s->reachability; i--) {
        uint32_t target = s->intentions[i - 1].target;
        struct pl_judged what = {.thread = s->last.tid};

        if (is_reachable(c, view, trigger, target))
            continue;
        enum pl_judged_kind kind = pl_values_judge_why(c, view, trigger, target, &what);

        close_intention(c, i - 1, kind, &what);
    }
}

void pl_values_judge_blocked(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_values *s = state_of(c);

    while (s->n_intentions > 0) {
        const struct pl_operation *trigger = trigger_of(s);
        uint32_t target = s->intentions[s->n_intentions - 1].target;
        struct pl_judged what = {.thread = s->last.tid};
        enum pl_judged_kind kind = pl_values_judge_waiting(c);

        if (!is_reachable(c, view, trigger, target))
            kind = pl_values_judge_why(c, view, trigger, target, &what);
        else
            find_waiting(c, view, target, &what);
        close_intention(c, s->n_intentions - 1, kind, &what);
    }
}

void pl_values_judge_woken(struct pl_strategy_context *c, const struct pl_values_sleeper *trigger,
                           const struct pl_operation *op, uint32_t site)
{
    struct pl_values *s = state_of(c);
    const struct pl_operation *was = &s->past.records[trigger->record].op;
    static const struct pl_judged nothing;

    if (s->n_intentions == 0 || trigger->record != s->trigger_record)
        return;
    uint32_t pair = pl_values_pair(c, site, op->kind, trigger->site, was->kind);

    for (uint32_t i = s->n_intentions; i > 0; i--) {
        if (s->intentions[i - 1].pair != pair || s->intentions[i - 1].target != site)
            continue;
        s->fulfilled = pair + 1;
        s->direction = pl_judged_direction(&pl_pair_pairs(c->pairs)[pair], site);
        close_intention(c, i - 1, PL_JUDGED_FULFILLED, &nothing);
    }
    while (s->n_intentions > 0)
        close_intention(c, s->n_intentions - 1, PL_JUDGED_SUPERSEDED, &nothing);
}

/* ---- what executions show ---- */

/* A pair is shown in a direction when one operation came before the other, to the same object. */
static void look_for(struct pl_strategy_context *c, const struct pl_operation *op, uint32_t site,
                     uint32_t pair)
{
    const struct pl_values *s = state_of(c);
    const struct pl_pair *p = &pl_pair_pairs(c->pairs)[pair];
    uint32_t first = pl_pair_other(p, site);
    unsigned direction = pl_judged_direction(p, first);
    const struct pl_judged *known = pl_judged_of(c->verdicts, pair, direction);

    if (known == NULL || known->shown != 0)
        return;
    for (uint32_t i = s->latest[first % PL_VALUES_SLOTS]; i != 0; i = s->events[i - 1].before) {
        const struct pl_values_event *e = &s->events[i - 1];

        PL_ASSERT(i <= s->n_events);
        if (e->site == first && e->op.tid != op->tid && pl_values_concerns(p, &e->op) &&
            pl_values_concerns(p, op) && pl_depend(&e->op, op)) {
            pl_judged_show(c->verdicts, pair, direction);
            return;
        }
    }
}

static void link_event(struct pl_values *s, uint32_t i)
{
    uint32_t *latest = &s->latest[s->events[i].site % PL_VALUES_SLOTS];

    s->events[i].before = *latest;
    *latest = i + 1;
}

void pl_values_judge_seen(struct pl_strategy_context *c, const struct pl_operation *op,
                          uint32_t site, uint32_t asked)
{
    struct pl_values *s = state_of(c);

    if (site == PL_PAIR_NONE || c->verdicts == NULL)
        return;
    const struct pl_pair_site *of = &pl_pair_sites(c->pairs)[site];

    for (uint32_t i = 0; i < of->n_pairs; i++)
        look_for(c, op, site, pl_pair_members(c->pairs)[of->first_pair + i]);
    if (of->n_pairs == 0)
        return;
    if (s->n_events == s->events_max) {
        c->verdicts->overlooked = 1;
        return;
    }
    s->events[s->n_events] = (struct pl_values_event){.op = *op, .site = site, .asked = asked};
    link_event(s, s->n_events++);
}

void pl_values_judge_begin(struct pl_values *s)
{
    s->was_events = s->n_events;
    for (uint32_t i = 0; i < s->n_events; i++)
        s->latest[s->events[i].site % PL_VALUES_SLOTS] = 0;
    s->n_events = 0;
}

void pl_values_judge_resume(struct pl_values *s, uint32_t asked)
{
    while (s->n_events < s->was_events && s->events[s->n_events].asked <= asked)
        link_event(s, s->n_events++);
}

void pl_values_judge_end(struct pl_strategy_context *c, enum pl_outcome outcome)
{
    struct pl_values *s = state_of(c);
    static const struct pl_judged nothing;

    while (s->n_intentions > 0)
        close_intention(c, s->n_intentions - 1,
                        outcome == PL_OUTCOME_SLOW ? PL_JUDGED_LIMIT : PL_JUDGED_SUPERSEDED,
                        &nothing);
    /* With one switch only that is what it failed for. */
    if (outcome == PL_OUTCOME_FINDING && s->fulfilled != 0 && s->phase == PL_VALUES_FIRST)
        pl_judged_fail(c->verdicts, s->fulfilled - 1, s->direction, s->execution);
    s->fulfilled = 0;
}
