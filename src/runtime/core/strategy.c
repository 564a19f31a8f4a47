/* SPDX-License-Identifier: MIT */
/* See strategy.h. */
#include "runtime/core/strategy.h"

#include "runtime/core/observer.h"
#include "runtime/ground/stage.h"

static bool wanted(bool rooted)
{
    return rooted && pl_stage->strategy->observe != NULL;
}

static void performed(struct pl_thread *t, const struct pl_operation *op)
{
    pl_stage->strategy->observe(&pl_stage->context, op);
    pl_board->impossible = pl_stage->context.impossible; /* for whoever counts the execution */
}

const struct pl_observer pl_strategy_observer = {.wanted = wanted, .performed = performed};

bool pl_strategy_idle(const struct pl_operation *op, uint32_t from)
{
    const struct pl_strategy *s = pl_stage->strategy;

    return s->idle != NULL && s->idle(&pl_stage->context, op, from);
}

bool pl_strategy_samples(void)
{
    const struct pl_strategy *s = pl_stage->strategy;

    return s->sample != NULL ? s->sample(&pl_stage->context)
                             : !pl_strategy_is(s, PL_TRAIT_EXHAUSTIVE);
}
