/* SPDX-License-Identifier: MIT */
/* Threads run freely on the operating system; what is left to choose is chosen at random. */
#include "base/hash.h"
#include "base/rng.h"
#include "strategy/table.h"

struct state {
    uint64_t rng;
};

static const char *start(struct pl_strategy_context *c)
{
    return NULL;
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    ((struct state *)c->arena)->rng = pl_hash_add(c->settings->seed, n);
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    return pl_rng_below(&((struct state *)c->arena)->rng, view->options);
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    return true;
}

const struct pl_strategy pl_noise = {
    .name = "noise",
    .start = start,
    .begin = begin,
    .choose = choose,
    .end = end,
    .free = true,
};
