/* SPDX-License-Identifier: MIT */
/*
 * values: what came of attempts.
 *
 * To let somebody else go on where a thread stands before its operation is an attempt at each pair
 * that the operation is in and whose other statement can be reached: that is to come first.  The
 * attempt is fulfilled when it does.  It is in vain when it cannot any more: the step after which
 * that is so says why.  Attempts of the same switch that are left when one is fulfilled have no
 * verdict; what comes of them is seen by those that begin where this one ends.
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

/* Whether somebody but the thread can come to the site. */
static bool is_reachable(const struct pl_strategy_context *c, const struct pl_view *view,
                         pl_tid but, uint32_t site)
{
    for (unsigned i = 0; i < view->options + view->n_blocked; i++) {
        struct pl_values_stack at;

        if (thread_at(view, i)->tid == but)
            continue;
        pl_values_where(c, thread_at(view, i), &at);
        if (pl_values_reaches(c, &at, site))
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
                                         const struct pl_view *view, uint64_t trigger_addr,
                                         uint32_t target, struct pl_judged *what)
{
    const struct pl_values *s = state_of(c);
    uint64_t roots = pl_pair_sites(c->pairs)[target].roots;
    const struct pl_operation *now = find_thread(view, s->last.tid);

    what->thread = s->last.tid;
    if (s->last_site == target) {
        what->from = trigger_addr;
        what->to = s->last.addr;
        return PL_JUDGED_ALIAS;
    }
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

/* ---- sleepers ---- */

static void conclude(struct pl_strategy_context *c, const struct pl_view *view,
                     const struct pl_values_sleeper *z, bool blocked)
{
    const struct pl_values *s = state_of(c);
    const struct pl_operation *trigger = &s->past.records[z->record].op;

    if (z->site == PL_PAIR_NONE || c->verdicts == NULL)
        return;
    const struct pl_pair_site *of = &pl_pair_sites(c->pairs)[z->site];

    for (uint32_t i = 0; i < of->n_pairs; i++) {
        uint32_t pair = pl_pair_members(c->pairs)[of->first_pair + i];
        const struct pl_pair *p = &pl_pair_pairs(c->pairs)[pair];
        uint32_t target = pl_pair_other(p, z->site);
        struct pl_judged what = {.thread = s->last.tid};
        enum pl_judged_kind kind = PL_JUDGED_BLOCKED;

        if (!pl_pair_concerns(p->kind, trigger->kind))
            continue;
        if (blocked) {
            if (!is_reachable(c, view, z->tid, target))
                continue;
            what.from = view->n_blocked > 0 ? view->blocked[0]->pc : view->next[0]->pc;
            what.thread = view->n_blocked > 0 ? view->blocked[0]->tid : view->next[0]->tid;
        } else {
            kind = pl_values_judge_why(c, view, trigger->addr, target, &what);
        }
        pl_judged_add(c->verdicts, pair, pl_judged_direction(p, target), &what, kind);
    }
}

void pl_values_judge_doomed(struct pl_strategy_context *c, const struct pl_view *view,
                            const struct pl_values_sleeper *trigger)
{
    conclude(c, view, trigger, false);
}

void pl_values_judge_blocked(struct pl_strategy_context *c, const struct pl_view *view,
                             const struct pl_values_sleeper *trigger)
{
    conclude(c, view, trigger, true);
}

void pl_values_judge_switch(struct pl_strategy_context *c, const struct pl_view *view,
                            const struct pl_values_sleeper *trigger)
{
    const struct pl_values *s = state_of(c);
    const struct pl_operation *op = &s->past.records[trigger->record].op;

    if (c->verdicts == NULL || trigger->site == PL_PAIR_NONE)
        return;
    const struct pl_pair_site *of = &pl_pair_sites(c->pairs)[trigger->site];

    __atomic_fetch_add(&c->verdicts->switches, 1, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < of->n_pairs; i++) {
        uint32_t pair = pl_pair_members(c->pairs)[of->first_pair + i];
        const struct pl_pair *p = &pl_pair_pairs(c->pairs)[pair];
        uint32_t target = pl_pair_other(p, trigger->site);

        if (pl_pair_concerns(p->kind, op->kind) && is_reachable(c, view, trigger->tid, target))
            pl_judged_try(c->verdicts, pair, pl_judged_direction(p, target));
    }
}

void pl_values_judge_woken(struct pl_strategy_context *c, const struct pl_values_sleeper *trigger,
                           const struct pl_operation *op, uint32_t site)
{
    struct pl_values *s = state_of(c);
    const struct pl_operation *was = &s->past.records[trigger->record].op;

    if (trigger->site == PL_PAIR_NONE || site == PL_PAIR_NONE || c->verdicts == NULL)
        return;
    uint32_t pair = pl_values_pair(c, site, op->kind, trigger->site, was->kind);

    if (pair == PL_PAIR_NONE)
        return;
    s->fulfilled = pair + 1;
    s->direction = pl_judged_direction(&pl_pair_pairs(c->pairs)[pair], site);
    pl_judged_add(c->verdicts, pair, s->direction, NULL, PL_JUDGED_FULFILLED);
}

/* ---- what executions show ---- */

static void show(struct pl_strategy_context *c, uint32_t first, unsigned first_kind,
                 uint32_t second, unsigned second_kind)
{
    uint32_t pair = pl_values_pair(c, first, first_kind, second, second_kind);

    if (pair != PL_PAIR_NONE)
        pl_judged_show(c->verdicts, pair,
                        pl_judged_direction(&pl_pair_pairs(c->pairs)[pair], first));
}

void pl_values_judge_seen(struct pl_strategy_context *c, const struct pl_operation *op,
                          uint32_t site)
{
    struct pl_values *s = state_of(c);
    uint64_t object = pl_operation_is(op->kind, PL_ROLE_REGAINS) ? op->other : op->addr;
    struct pl_values_access *a = &s->seen[object / 8 % PL_VALUES_SEEN];
    bool writes = op->effect == PL_EFFECT_WRITE || op->effect == PL_EFFECT_ADD;

    if (site == PL_PAIR_NONE || c->verdicts == NULL || object == 0 ||
        pl_operation_is(op->kind, PL_ROLE_RELEASES))
        return;
    if (a->addr != object || a->execution != s->execution)
        *a = (struct pl_values_access){.addr = object,
                                       .execution = s->execution,
                                       .write = PL_PAIR_NONE,
                                       .read = PL_PAIR_NONE};
    if (a->write != PL_PAIR_NONE && a->writer != op->tid)
        show(c, a->write, a->write_kind, site, op->kind);
    if (writes && a->read != PL_PAIR_NONE && a->reader != op->tid)
        show(c, a->read, a->read_kind, site, op->kind);
    if (writes) {
        a->write = site;
        a->writer = op->tid;
        a->write_kind = op->kind;
        a->read = PL_PAIR_NONE;
    } else {
        a->read = site;
        a->reader = op->tid;
        a->read_kind = op->kind;
    }
}

void pl_values_judge_end(struct pl_strategy_context *c, enum pl_outcome outcome)
{
    struct pl_values *s = state_of(c);

    if (outcome == PL_OUTCOME_FINDING && s->fulfilled != 0)
        pl_judged_fail(c->verdicts, s->fulfilled - 1, s->direction, s->execution);
    s->fulfilled = 0;
}
