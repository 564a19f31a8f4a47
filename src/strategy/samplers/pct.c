/* SPDX-License-Identifier: MIT */
/*
 * Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and
 * Nagarakatte, ASPLOS 2010).
 *
 * Every thread has a random priority, and the first one that can go on does so.
 * At d-1 random steps among the k of an execution the thread whose turn it is
 * falls behind all others: to priority i at the i-th of these change points, in
 * the order in which they were drawn.  An execution of n threads meets a bug of
 * depth d with a probability of at least 1/(n k^(d-1)).
 *
 * A step is an operation at a point.  Where only one thread can go on, a
 * change comes to bear at the next choice.
 *
 * Departures: k is not asked of the user but taken from the profile.  Choices of
 * other kinds are uniform.
 */
#include "strategy/shared/parameters.h"
#include "strategy/shared/sampling.h"
#include "strategy/shared/table.h"

enum { DEPTH = 3, DEEPEST = 64 };

/* A step and the priority that the thread gets there. */
struct change {
    uint64_t step, priority;
};

struct state {
    uint64_t rng;
    uint64_t depth;
    uint64_t step;
    uint32_t stamp; /* of this execution */
    unsigned n_changes, next;
    struct change changes[DEEPEST]; /* ascending */
    struct {
        uint32_t stamp;
        uint64_t priority;
    } threads[PL_THREADS_MAX];
};

/* Above all that threads can fall to. */
static const uint64_t initial = UINT64_C(1) << 63;

static const char *start(struct pl_strategy_context *c)
{
    static const char *const keys[] = {"depth"};
    struct state *s = (struct state *)c->arena;

    s->depth = DEPTH;
    if (!pl_parameters_known(c->settings->parameters, keys, 1, true) ||
        !pl_parameter_number(c->settings->parameters, "depth", true, &s->depth) || s->depth < 1 ||
        s->depth > DEEPEST)
        return "pct has one parameter, the depth of the bug, from 1 to 64: write pct:3 or "
               "pct:depth=3.";
    return NULL;
}

/* Insert it where it belongs. */
static void add_change(struct state *s, struct change new)
{
    PL_ASSERT(s->n_changes < DEEPEST && new.priority < initial);
    unsigned i = s->n_changes++;

    for (; i > 0 && s->changes[i - 1].step > new.step; i--)
        s->changes[i] = s->changes[i - 1];
    s->changes[i] = new;
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = (struct state *)c->arena;

    s->rng = pl_sampling_seed(c, n);
    s->stamp++;
    s->step = 0;
    s->n_changes = s->next = 0;
    if (c->profile == NULL || c->profile->steps == 0)
        return;
    for (uint64_t i = 1; i < s->depth; i++)
        add_change(s, (struct change){pl_rng_below(&s->rng, (uint32_t)c->profile->steps), i});
}

static uint64_t priority_of(struct state *s, const struct pl_operation *op)
{
    if (s->threads[op->tid].stamp != s->stamp) {
        s->threads[op->tid].stamp = s->stamp;
        s->threads[op->tid].priority = pl_rng_next(&s->rng) | initial;
    }
    return s->threads[op->tid].priority;
}

static unsigned first(struct state *s, const struct pl_view *view)
{
    unsigned best = 0;

    for (unsigned i = 1; i < view->options; i++) {
        if (priority_of(s, view->next[i]) > priority_of(s, view->next[best]))
            best = i;
    }
    return best;
}

/* The thread is about to make this step, or has to: is it to fall behind? */
static bool lower(struct state *s, pl_tid tid)
{
    if (s->next == s->n_changes || s->changes[s->next].step != s->step)
        return false;
    PL_ASSERT(tid < PL_THREADS_MAX && s->next < s->n_changes);
    s->threads[tid].stamp = s->stamp;
    s->threads[tid].priority = s->changes[s->next++].priority;
    return true;
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = (struct state *)c->arena;

    if (view->kind != PL_CHOICE_THREAD || c->profile == NULL)
        return pl_rng_below(&s->rng, view->options);
    unsigned best = first(s, view);

    while (lower(s, view->next[best]->tid))
        best = first(s, view);
    return best;
}

static void observe(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct state *s = (struct state *)c->arena;

    if (op->noted)
        return;
    while (lower(s, op->tid)) {
    }
    s->step++;
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    return true;
}

const struct pl_strategy pl_pct = {
    .name = "pct",
    .traits = PL_TRAITS_OF_pct,
    .start = start,
    .begin = begin,
    .choose = choose,
    .observe = observe,
    .end = end,
};
