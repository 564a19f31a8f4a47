/* SPDX-License-Identifier: MIT */
/*
 * Uniform choice among the options, at every choice.
 *
 * The generator is seeded with the campaign's seed and the number of the
 * execution, so an execution does not depend on those before it.
 */
#include "strategy/shared/sampling.h"
#include "strategy/shared/table.h"

struct state {
    uint64_t rng;
};

static const char *start(struct pl_strategy_context *c)
{
    return c->settings->parameters[0] == '\0' ? NULL : "random has no parameters: leave them out.";
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = (struct state *)c->arena;

    s->rng = pl_sampling_seed(c, n);
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = (struct state *)c->arena;

    return pl_rng_below(&s->rng, view->options);
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    return true;
}

const struct pl_strategy pl_random = {
    .name = "random",
    .traits = PL_TRAITS_OF_random,
    .start = start,
    .begin = begin,
    .choose = choose,
    .end = end,
};
