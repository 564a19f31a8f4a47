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

const struct pl_thread *pl_strategy_misses(const struct pl_thread *self)
{
    const struct pl_strategy *s = pl_stage->strategy;

    if (!pl_stage->context.following || s->wants == NULL)
        return NULL;
    const struct pl_view view = {
        .kind = PL_CHOICE_THREAD,
        .running = self->state == PL_THREAD_ALIVE && self->op.way != PL_WAY_BLOCKED ? 0 : -1,
        .at = self->op,
        .digest = pl_stage->digest,
    };
    uint64_t name = s->wants(&pl_stage->context, &view);

    for (unsigned i = 0; i < pl_stage->scratch.n_blocked; i++) {
        if (pl_stage->scratch.blocked[i]->name == name)
            return pl_thread_by_id(pl_stage->scratch.blocked[i]->tid);
    }
    return NULL;
}

bool pl_strategy_takes(const struct pl_operation *op)
{
    const struct pl_strategy *s = pl_stage->strategy;

    return s->takes != NULL && s->takes(&pl_stage->context, op);
}

unsigned pl_strategy_among(const struct pl_view *view, const unsigned *may, unsigned n)
{
    struct pl_scratch *s = &pl_stage->scratch;
    struct pl_view less = *view;

    PL_ASSERT(n > 0 && n <= view->options);
    if (n == view->options)
        return pl_stage->strategy->choose(&pl_stage->context, view);
    if (n == 1)
        return may[0];
    less.options = n;
    less.running = -1;
    less.next = s->allowed;
    for (unsigned i = 0; i < n; i++) {
        s->allowed[i] = view->next[may[i]];
        if ((int)may[i] == view->running)
            less.running = (int)i;
    }
    unsigned taken = pl_stage->strategy->choose(&pl_stage->context, &less);

    return taken < n ? may[taken] : taken; /* or what is no option: it gives up */
}

bool pl_strategy_samples(void)
{
    const struct pl_strategy *s = pl_stage->strategy;

    return s->sample != NULL ? s->sample(&pl_stage->context)
                             : !pl_strategy_is(s, PL_TRAIT_EXHAUSTIVE);
}
