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
#include "strategy/samplers/pos.h"

#include "model/depend.h"
#include "strategy/shared/sampling.h"
#include "strategy/shared/table.h"

struct state {
    uint64_t rng;
    uint32_t stamp; /* of this execution */
    struct pending {
        uint32_t stamp;
        uint32_t ordinal; /* of the operation that has the priority */
        uint64_t priority;
        struct pl_depend_extent touches;
    } threads[PL_THREADS_MAX];
};

_Static_assert(sizeof(struct state) <= PL_POS_ROOM, "it has that much room");

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

static void meet(struct state *s, struct pending *p, const struct pl_operation *op)
{
    PL_ASSERT(op->tid < PL_THREADS_MAX);
    p->stamp = s->stamp;
    p->ordinal = op->ordinal;
    p->priority = pl_rng_next(&s->rng);
    p->touches = pl_depend_pending(op);
}

static inline uint64_t priority_of(struct state *s, const struct pl_operation *op)
{
    struct pending *p = &s->threads[op->tid];

    if (p->stamp != s->stamp || p->ordinal != op->ordinal)
        meet(s, p, op);
    return p->priority;
}

/* Draw new priorities for operations that depend on the one performed, as far as is known now. */
static void draw_anew(struct state *s, const struct pl_operation *const *next, unsigned n,
                      const struct pending *performed)
{
    for (unsigned i = 0; i < n; i++) {
        struct pending *p = &s->threads[next[i]->tid];

        if (pl_depend_would_conflict(&p->touches, &performed->touches, PL_DEPEND_ORDER) &&
            p != performed)
            p->priority = pl_rng_next(&s->rng);
    }
}

unsigned pl_pos_choose(struct pl_strategy_context *c, const struct pl_operation *const *next,
                       unsigned n)
{
    struct state *s = (struct state *)c->arena;
    unsigned best = 0;

    PL_ASSERT(n > 0);
    uint64_t highest = priority_of(s, next[0]);

    for (unsigned i = 1; i < n; i++) {
        uint64_t priority = priority_of(s, next[i]);

        if (priority > highest) {
            highest = priority;
            best = i;
        }
    }
    draw_anew(s, next, n, &s->threads[next[best]->tid]);
    return best;
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = (struct state *)c->arena;

    if (view->kind != PL_CHOICE_THREAD)
        return pl_rng_below(&s->rng, view->options);
    return pl_pos_choose(c, view->next, view->options);
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    return true;
}

const struct pl_strategy pl_pos = {
    .name = "pos",
    .traits = PL_TRAITS_OF_pos,
    .start = start,
    .begin = begin,
    .choose = choose,
    .end = end,
};
