/* SPDX-License-Identifier: MIT */
/*
 * dpor, guided, and then not: what guidance does not want is left for later.
 *
 * Such sequences are in the wakeup trees like others, with a rank that is not wanted yet.  A guided
 * search goes back to the last state with a sequence that is wanted, and so it leaves states that
 * have others. What such a state had, its wakeup tree and the branches explored from it, is kept
 * behind the branch that led there: one node, of which `child` is the tree, `next` the explored
 * ones and `goal` says what is left, is the child of that branch, which is among those explored in
 * the state before, and so on.  When what is left is wanted, the branch is taken once more, and the
 * state is as it was.  What sleeps in it need not be kept: of the branches explored in the state
 * before, those that were explored earlier.
 *
 * So a branch may be taken, in one state, while an earlier one is not done with.  The search
 * remains the one that would be done with each before the next, if what the earlier one
 * still finds goes where it would have gone: into the wakeup tree of the later one, which would
 * not have begun (pl_dpor_keep_follow).  That tree ends where nobody sleeps any more; from there on
 * everything is explored in any case.  Up to there states are kept even if nothing is left in them.
 */
#include "strategy/dpor/dpor.h"
#include "strategy/dpor/wakeup_later.h"

/* The goal of a branch that has been explored: behind it nobody sleeps, or the program ends. */
enum { AWAKE = 1 };

/* The goal of a kept state, by the lowest rank of what is left there: the more the sooner. */
static uint32_t left_of(unsigned rank)
{
    return PL_WAKEUP_RANKS - rank;
}

/* What is left behind a branch that has been explored; 0: nothing. */
static uint32_t left_behind(const struct pl_dpor *s, uint32_t branch)
{
    uint32_t kept = s->pool.nodes[branch].child;

    return kept != 0 ? s->pool.nodes[kept].goal : 0;
}

/* Whether something is left for later than now. */
static bool leaves(const struct pl_dpor *s)
{
    return s->keep.on && s->pool.later.rank < PL_WAKEUP_LAST;
}

/* The first of the explored branches with something behind it that is wanted. */
static uint32_t wanted_again(const struct pl_dpor *s, uint32_t done)
{
    uint32_t node = s->keep.on ? done : 0;

    while (node != 0 && left_behind(s, node) < left_of(s->pool.later.rank))
        node = s->pool.nodes[node].next;
    return node;
}

uint32_t pl_dpor_keep_next(const struct pl_dpor *s, const struct pl_dpor_frame *f)
{
    uint32_t again = f->wut == 0 || leaves(s) ? wanted_again(s, f->done) : 0, leaf;

    if (f->wut == 0 || again == 0)
        return f->wut != 0 ? f->wut : again;
    return pl_wakeup_later_wanted(&s->pool, f->wut, s->keep.stack, &leaf) != 0 ? f->wut : again;
}

/* A branch that is taken again is in `done`, and behind it those that were explored before it. */
uint32_t pl_dpor_keep_before(const struct pl_dpor *s, const struct pl_dpor_frame *f)
{
    PL_ASSERT(!f->taken.again || (s->keep.on && f->p != 0));
    return f->taken.again ? s->pool.nodes[f->p].next : f->done;
}

/* Whether the tree has something that is wanted; what was, but has been shown meanwhile, is not. */
static bool is_wanted(struct pl_dpor *s, uint32_t wut)
{
    uint32_t leaf;

    while (pl_wakeup_later_wanted(&s->pool, wut, s->keep.stack, &leaf) != 0) {
        uint32_t *goal = &s->pool.nodes[leaf].goal;

        if (s->guide == NULL || !s->guide->settled(s->guided, *goal & PL_WAKEUP_GOAL))
            return true;
        *goal = PL_WAKEUP_LATER;
    }
    return false;
}

static uint32_t left_in(const struct pl_dpor *s, uint32_t wut, uint32_t done)
{
    uint32_t left = left_of(pl_wakeup_later_least(&s->pool, wut, s->keep.stack));

    for (; done != 0; done = s->pool.nodes[done].next)
        left = left_behind(s, done) > left ? left_behind(s, done) : left;
    return left;
}

/* The same for all that is kept behind the branches.  Where it is no more, that is noted. */
static bool is_wanted_again(struct pl_dpor *s, uint32_t done)
{
    struct pl_wakeup_node *nodes = s->pool.nodes;
    uint32_t branch = wanted_again(s, done);

    while (branch != 0) {
        struct pl_wakeup_node *kept = &nodes[nodes[branch].child];

        if (is_wanted(s, kept->child))
            return true;
        branch = wanted_again(s, kept->next);
        if (branch == 0) {
            kept->goal = left_in(s, kept->child, kept->next);
            branch = wanted_again(s, done); /* those that lead there may have another one */
        }
    }
    return false;
}

bool pl_dpor_keep_has_work(struct pl_dpor *s, struct pl_dpor_frame *f)
{
    if (!leaves(s))
        return pl_dpor_keep_next(s, f) != 0;
    return is_wanted(s, f->wut) || is_wanted_again(s, f->done);
}

void pl_dpor_keep_put_first(struct pl_dpor *s, struct pl_dpor_frame *f)
{
    uint32_t leaf,
        wanted = leaves(s) ? pl_wakeup_later_wanted(&s->pool, f->wut, s->keep.stack, &leaf) : 0;

    if (wanted != 0 && wanted != f->wut)
        pl_wakeup_later_prefer(&s->pool, &s->past, &f->wut, wanted, s->keep.stack, s->v);
}

uint32_t pl_dpor_keep_pack(struct pl_dpor *s, uint32_t wut, uint32_t done, bool asleep)
{
    uint32_t left = s->keep.on ? left_in(s, wut, done) : 0;

    PL_ASSERT(left <= left_of(0));
    if (s->keep.on && left == 0 && asleep && !pl_wakeup_later_roomy(&s->pool)) {
        s->keep.dropped = true;
        asleep = false;
    }
    uint32_t node = left != 0 || (s->keep.on && asleep) ? pl_wakeup_node(&s->pool, 0) : 0;

    if (node == 0) {
        pl_wakeup_free(&s->pool, wut);
        pl_wakeup_free(&s->pool, done);
        return 0;
    }
    s->pool.nodes[node].child = wut;
    s->pool.nodes[node].next = done;
    s->pool.nodes[node].goal = left;
    return node;
}

uint32_t pl_dpor_keep_unpack(struct pl_dpor *s, uint32_t branch, uint32_t *done)
{
    uint32_t node = s->pool.nodes[branch].child, wut = s->pool.nodes[node].child;

    PL_ASSERT(branch != 0 && node != 0);
    *done = s->pool.nodes[node].next;
    PL_STORE(s->pool.nodes[branch].child, 0);
    s->pool.nodes[node].child = s->pool.nodes[node].next = 0;
    pl_wakeup_free(&s->pool, node);
    return wut;
}

void pl_dpor_keep_note(struct pl_dpor *s, uint32_t e)
{
    struct pl_wakeup_node *p = &s->pool.nodes[s->frames[e].p];

    p->goal = s->past.records[p->record].ends || s->frames[e + 1].n_sleep == 0 ? AWAKE : 0;
}

/* The state with what was kept behind its branch. */
static uint32_t leave_state(struct pl_dpor *s, uint32_t i, uint32_t kept)
{
    struct pl_dpor_frame *f = &s->frames[i];

    if (i < s->past.n_events && s->past.events[i].automatic)
        return kept; /* it is the same state */
    if (f->p != 0)
        s->pool.nodes[f->p].child = kept;
    pl_dpor_finish(s, i);
    return pl_dpor_keep_pack(s, f->wut, f->done, f->n_sleep > 0);
}

/* A process may die at any place, and the next goes on with the state after the last that was left.
 */
uint32_t pl_dpor_keep_leave(struct pl_dpor *s, uint32_t n)
{
    uint32_t from = s->keep.leaving != 0 ? (uint32_t)(s->keep.leaving >> 32) - 1 : s->past.n_events;

    PL_ASSERT(from <= s->past.n_events);
    for (uint32_t i = from; i > n; i--) {
        uint32_t kept = leave_state(s, i, (uint32_t)s->keep.leaving);

        PL_STORE(s->keep.leaving, (uint64_t)i << 32 | kept);
        s->frames[i].wut = s->frames[i].done = s->frames[i].p = 0;
    }
    return (uint32_t)s->keep.leaving;
}

/* Of the branches that were explored after `since` the first that is a weak initial of v. */
static uint32_t first_of(const struct pl_dpor *s, uint32_t done, uint32_t since, const uint32_t *v,
                         uint32_t n, uint32_t *at)
{
    uint32_t found = 0, place;

    for (; done != since && done != 0; done = s->pool.nodes[done].next) {
        if (pl_wakeup_weak_initial(&s->past, v, n, s->pool.nodes[done].record, &place)) {
            found = done;
            *at = place;
        }
    }
    return found;
}

/* Something of the rank is left in the states that were kept on the way, `depth` of them. */
static void note_left(struct pl_dpor *s, uint32_t depth, unsigned rank)
{
    while (depth-- > 0) {
        uint32_t *goal = &s->pool.nodes[s->keep.stack[depth]].goal;

        *goal = left_of(rank) > *goal ? left_of(rank) : *goal;
    }
}

bool pl_dpor_keep_follow(struct pl_dpor *s, const struct pl_dpor_frame *f, uint32_t *v, uint32_t n)
{
    struct pl_wakeup_node *nodes = s->pool.nodes;
    uint32_t at, depth = 0, kept = 0;
    uint32_t branch = first_of(s, f->done, f->p, v, n, &at);

    PL_ASSERT(f->taken.again);
    if (branch == 0)
        return false;
    while (branch != 0) {
        n = pl_wakeup_without(v, n, at);
        kept = nodes[branch].child;
        if (n == 0 || nodes[branch].goal == AWAKE)
            return true;
        if (kept == 0) {
            s->keep.dropped = true; /* there was no room for it */
            return true;
        }
        s->keep.stack[depth++] = kept;
        branch = first_of(s, nodes[kept].next, 0, v, n, &at);
    }
    if (pl_wakeup_insert(&s->pool, &s->past, &nodes[kept].child, v, n))
        note_left(s, depth, pl_wakeup_rank(s->pool.later.goal));
    return true;
}
