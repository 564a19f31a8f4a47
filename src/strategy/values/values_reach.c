/* SPDX-License-Identifier: MIT */
/*
 * values: what the table of static pairs (model/pair.h) says of a state.
 *
 * Where a thread is, is its stack: what it can reach is asked of that.  What it can reach by
 * creating threads counts as its own.  Operations of which the table knows nothing may conflict
 * with everything.
 */
#include "base/text.h"
#include "model/depend.h"
#include "strategy/values/values_search.h"

void pl_values_where(const struct pl_strategy_context *c, const struct pl_operation *op,
                     struct pl_values_stack *at)
{
    at->whole = false;
    at->n = 0;
    if (c->stack != NULL)
        at->n = c->stack(op->tid, at->pcs, PL_PAIR_FRAMES, &at->whole);
    if (at->n == 0)
        at->pcs[at->n++] = op->pc;
    PL_ASSERT(at->n <= PL_PAIR_FRAMES);
}

uint32_t pl_values_site(const struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct pl_values_stack at;

    if (c->pairs == NULL || pl_values_is_free(op))
        return PL_PAIR_NONE;
    pl_values_where(c, op, &at);
    return pl_pair_site_at(c->pairs, at.pcs, at.n);
}

/* ---- operations ---- */

bool pl_values_is_free(const struct pl_operation *op)
{
    const struct pl_op_traits *t = pl_operation_traits(op->kind);

    if (op->way > PL_WAY_TIMEOUT || op->cancellable || op->exposed)
        return false;
    return pl_depend_nothing(op) || (t->roles & PL_ROLE_ENDS) != 0 ||
           (t->object == PL_OBJECT_NONE && t->most == PL_EFFECT_NONE &&
            (t->roles & PL_ROLE_COPIES) == 0);
}

/* Whether pairs are about operations of this kind. */
static bool is_covered(unsigned kind)
{
    if (kind == PL_OP_MUTEX_ABANDON) /* at the end of a thread, which is no statement */
        return false;
    if (pl_operation_is(kind, PL_ROLES(CALLS, OUTSIDE, CANCELS, OF_THREAD, OF_FILES, OF_QUEUE)))
        return false;
    if (pl_operation_object(kind) == PL_OBJECT_MEMORY)
        return pl_operation_is(kind, PL_ROLES(PLAIN, ATOMIC, OVERWRITES));
    return pl_operation_uses_object(kind) || pl_operation_object(kind) == PL_OBJECT_ANY;
}

bool pl_values_is_known(const struct pl_operation *op, uint32_t site)
{
    return pl_values_is_free(op) || (site != PL_PAIR_NONE && is_covered(op->kind) &&
                                     op->way <= PL_WAY_TIMEOUT && !op->cancellable && !op->exposed);
}

/* ---- reachability ---- */

static void find_creators(const struct pl_strategy_context *c)
{
    struct pl_values *s = pl_values_of(c);
    const struct pl_pair_site *sites = pl_pair_sites(c->pairs);

    s->n_creators = 0;
    for (uint32_t i = 0; i < c->pairs->n_sites; i++) {
        if (sites[i].creates == 0)
            continue;
        if (s->n_creators < PL_VALUES_CREATORS)
            s->creators[s->n_creators] = i;
        s->n_creators++;
    }
    s->asked_creators = true;
}

/* All roots of threads that threads of these roots may come to create, and themselves. */
static uint64_t descendants(const struct pl_strategy_context *c, uint64_t roots)
{
    const struct pl_values *s = pl_values_of(c);
    uint64_t before;

    do {
        before = roots;
        for (uint32_t i = 0; i < s->n_creators; i++) {
            uint32_t site = s->creators[i];

            if (pl_pair_root_reaches(c->pairs, roots, site))
                roots |= pl_pair_sites(c->pairs)[site].creates;
        }
    } while (roots != before);
    return roots;
}

static bool reaches_itself(const struct pl_strategy_context *c, const struct pl_values_stack *at,
                           uint32_t site)
{
    return pl_pair_reaches(c->pairs, at->pcs, at->n, at->whole, false, site);
}

/* By creating a thread. */
static bool sends(const struct pl_strategy_context *c, const struct pl_values_stack *at,
                  uint32_t site)
{
    struct pl_values *s = pl_values_of(c);

    if (!s->asked_creators)
        find_creators(c);
    if (s->n_creators > PL_VALUES_CREATORS)
        return true;
    for (uint32_t i = 0; i < s->n_creators; i++) {
        uint64_t roots = pl_pair_sites(c->pairs)[s->creators[i]].creates;

        if (reaches_itself(c, at, s->creators[i]) &&
            pl_pair_root_reaches(c->pairs, descendants(c, roots), site))
            return true;
    }
    return false;
}

bool pl_values_sends(const struct pl_strategy_context *c, const struct pl_operation *thread,
                     uint32_t target)
{
    struct pl_values_stack at;

    pl_values_where(c, thread, &at);
    return sends(c, &at, target);
}

bool pl_values_comes(const struct pl_strategy_context *c, const struct pl_operation *thread,
                     const struct pl_operation *trigger, uint32_t target)
{
    struct pl_values_stack at;
    uint64_t other;

    pl_values_where(c, thread, &at);
    if (reaches_itself(c, &at, target) &&
        !pl_values_is_apart(c, pl_values_of(c)->era, thread->tid, target, trigger->addr,
                            pl_values_apart_size(trigger), &other))
        return true;
    return sends(c, &at, target);
}

/* ---- pairs ---- */

static bool is_place(const struct pl_strategy_context *c, uint32_t site)
{
    const struct pl_values *s = pl_values_of(c);
    const struct pl_pair_site *of = &pl_pair_sites(c->pairs)[site];
    const char *file = pl_pair_string(c->pairs, of->file);
    size_t n = pl_text_length(file), end = pl_text_length(s->interest);

    return of->line == s->interest_line && n >= end &&
           pl_text_equal(file + (n - end), s->interest) && (n == end || file[n - end - 1] == '/');
}

bool pl_values_wanted(const struct pl_strategy_context *c, uint32_t pair)
{
    const struct pl_pair *p = &pl_pair_pairs(c->pairs)[pair];

    return pl_values_of(c)->interest[0] == '\0' || is_place(c, p->a) || is_place(c, p->b);
}

/* A wait whose time runs out races with what would have ended it. */
bool pl_values_concerns(const struct pl_pair *p, const struct pl_operation *op)
{
    return pl_pair_concerns(p->kind, op->kind) || (p->kind == PL_PAIR_WN && pl_depend_leaves(op));
}

bool pl_values_meets(const struct pl_strategy_context *c, const struct pl_operation *thread,
                     const struct pl_operation *op, uint32_t site)
{
    const struct pl_pair_site *of = &pl_pair_sites(c->pairs)[site];

    PL_ASSERT(site < c->pairs->n_sites);
    for (uint32_t i = 0; i < of->n_pairs; i++) {
        uint32_t pair = pl_pair_members(c->pairs)[of->first_pair + i];
        const struct pl_pair *p = &pl_pair_pairs(c->pairs)[pair];

        if (!pl_values_concerns(p, op) || !pl_values_wanted(c, pair))
            continue;
        if (!pl_values_of(c)->reachability ||
            pl_values_comes(c, thread, op, pl_pair_other(p, site)))
            return true;
    }
    return false;
}

uint32_t pl_values_pair(const struct pl_strategy_context *c, uint32_t a, unsigned a_kind,
                        uint32_t b, unsigned b_kind)
{
    if (a >= c->pairs->n_sites || b >= c->pairs->n_sites)
        return PL_PAIR_NONE;
    const struct pl_pair_site *of = &pl_pair_sites(c->pairs)[a];

    for (uint32_t i = 0; i < of->n_pairs; i++) {
        uint32_t pair = pl_pair_members(c->pairs)[of->first_pair + i];
        const struct pl_pair *p = &pl_pair_pairs(c->pairs)[pair];

        if (pl_pair_other(p, a) == b && pl_pair_concerns(p->kind, a_kind) &&
            pl_pair_concerns(p->kind, b_kind))
            return pair;
    }
    return PL_PAIR_NONE;
}

/* ---- who must be tried ---- */

static const struct pl_operation *thread_at(const struct pl_view *view, unsigned i)
{
    return i < view->options ? view->next[i] : view->blocked[i - view->options];
}

/* Add those who may do something that conflicts with what thread i is about to do. */
static unsigned add_rivals(const struct pl_strategy_context *c, const struct pl_view *view,
                           unsigned i, bool *in)
{
    const struct pl_operation *op = thread_at(view, i);
    uint32_t site = pl_values_site(c, op);
    bool known = pl_values_is_known(op, site) && op->way != PL_WAY_BLOCKED;
    unsigned n = 0;

    if (known && pl_values_is_free(op))
        return 0;
    for (unsigned j = 0; j < view->options + view->n_blocked; j++) {
        if (in[j] || (known && !pl_values_meets(c, thread_at(view, j), op, site)))
            continue;
        in[j] = true;
        n++;
    }
    return n;
}

/*
 * A set of threads none of which can be disturbed from outside of it: whatever the others do does
 * not conflict with what these are about to do.  If one of them waits, anybody may be who ends
 * that.
 */
unsigned pl_values_closure(const struct pl_strategy_context *c, const struct pl_view *view,
                           unsigned first, bool *in)
{
    unsigned all = view->options + view->n_blocked, n = 0;
    bool *looked = pl_values_of(c)->looked;

    PL_ASSERT(first < view->options && all <= PL_THREADS_MAX);
    for (unsigned i = 0; i < all; i++) {
        in[i] = i == first;
        looked[i] = false;
    }
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < all; i++) {
            if (!in[i] || looked[i])
                continue;
            looked[i] = true;
            more = add_rivals(c, view, i, in) > 0 || more;
        }
    }
    for (unsigned i = 0; i < view->options; i++)
        n += in[i];
    return n;
}
