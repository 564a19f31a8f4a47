/* SPDX-License-Identifier: MIT */
/*
 * Partial order sampling (Yuan, Yang and Gu, CAV 2018).
 *
 * Every pending operation has a random priority, and the first one is
 * performed.  Those that race with it, on the same object and not both reading,
 * are drawn anew.  Compared with a random walk, orders that differ in dependent
 * operations are more evenly likely: how long a thread is held back does not
 * depend on how much the others do elsewhere.
 *
 * Departures: an operation whose thread cannot go on has no priority yet and gets
 * one when it can, which is a new draw and so all the same.  Operations that are
 * performed without a choice, because nobody else could go on, race with nothing
 * that has a priority.  Choices of other kinds are uniform.
 */
#include "strategy/depend.h"
#include "strategy/sampling.h"
#include "strategy/table.h"

struct state {
    uint64_t rng;
    uint32_t stamp; /* of this execution */
    struct {
        uint32_t stamp;
        uint32_t ordinal; /* of the operation that has the priority */
        uint64_t priority;
    } threads[PL_THREADS_MAX];
};

static const char *start(struct pl_strategy_context *c)
{
    return c->settings->parameters[0] == '\0' ? NULL : "pos has no parameters: leave them out.";
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = (struct state *)c->arena;

    s->rng = pl_sampling_seed(c, n);
    s->stamp++;
}

static uint64_t priority_of(struct state *s, const struct pl_operation *op)
{
    if (s->threads[op->tid].stamp != s->stamp || s->threads[op->tid].ordinal != op->ordinal) {
        s->threads[op->tid].stamp = s->stamp;
        s->threads[op->tid].ordinal = op->ordinal;
        s->threads[op->tid].priority = pl_rng_next(&s->rng);
    }
    return s->threads[op->tid].priority;
}

/* Whether they depend on each other, for all that is known before they are performed. */
static bool race(const struct pl_operation *a, const struct pl_operation *b)
{
    uint64_t x = pl_depend_object(a), y = pl_depend_object(b);

    return x < y + pl_depend_size(b) && y < x + pl_depend_size(a) &&
           pl_depend_conflict(pl_operation_effect(a->kind), pl_operation_effect(b->kind));
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = (struct state *)c->arena;

    if (view->kind != PL_CHOICE_THREAD)
        return pl_rng_below(&s->rng, view->options);
    unsigned best = 0;
    uint64_t highest = priority_of(s, view->next[0]);

    for (unsigned i = 1; i < view->options; i++) {
        uint64_t priority = priority_of(s, view->next[i]);

        if (priority > highest) {
            highest = priority;
            best = i;
        }
    }
    for (unsigned i = 0; i < view->options; i++) {
        if (i != best && race(view->next[best], view->next[i]))
            s->threads[view->next[i]->tid].priority = pl_rng_next(&s->rng);
    }
    return best;
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    return true;
}

const struct pl_strategy pl_pos = {
    .name = "pos",
    .start = start,
    .begin = begin,
    .choose = choose,
    .end = end,
};
