/* SPDX-License-Identifier: MIT */
/*
 * Threads run freely, and are disturbed: the strategy of ConTest (Edelstein, Farchi, Nir,
 * Ratsaby and Ur, IBM Systems Journal 41(1), 2002).
 *
 * It does not decide who goes on; the operating system does.  What is left to choose is
 * which waiter a signal wakes, and values that the program asks for: at random.  Whether a handler
 * has found its thread in a call or on its way there is no choice, and only recorded.  Where
 * threads are disturbed is drawn for each execution (disturb.h) within what that may cost (cost.h).
 */
#include "strategy/noise/noise.h"

#include "strategy/shared/sampling.h"
#include "strategy/shared/table.h"

/*
 * Short programs need noise of this length to be disturbed at all, and most of what an execution of
 * theirs takes is to start and to end it.
 */
#define LEAST_NS 40e6

static const char *start(struct pl_strategy_context *c)
{
    struct pl_noise_state *s = (struct pl_noise_state *)c->arena;

    pl_disturb_usual(&s->plan);
    const char *bad = pl_disturb_read(&s->plan, c->settings->parameters);

    s->cost.fixed = s->plan.length_ns != 0 || s->plan.kind == PL_DISTURB_YIELD ||
                    s->plan.kind == PL_DISTURB_PRIORITY;
    s->cost.least_ns = s->plan.strict ? 0 : LEAST_NS;
    return bad;
}

/* The first execution shows how long one takes that is not disturbed, unless it is the only one. */
static bool is_first(const struct pl_strategy_context *c, const struct pl_noise_state *s)
{
    return s->plan.cost != 0 && c->settings->executions != 1 && pl_cost_unknown(&s->cost) &&
           c->board != NULL && c->board->executions == 0;
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct pl_noise_state *s = (struct pl_noise_state *)c->arena;
    struct pl_disturb_means means = {.weight = s->weight,
                                     .threads = s->threads,
                                     .news = s->n_asking > 0 ? s->news : -1,
                                     .scale = pl_cost_scale(&s->cost)};
    /* Half of the time after which an execution counts as a hang. */
    uint64_t most = c->settings->hang_ms * 500000;

    s->rng = pl_sampling_seed(c, n);
    pl_cost_begin(&s->cost, s->plan.cost, most, &s->rng, &s->limit);
    if (s->plan.cost != 0 && !s->limit.paced)
        means.extra_ns = pl_cost_extra(&s->cost, s->plan.cost);
    s->number = n;
    pl_disturb_begin(&s->plan, c->settings->seed, n, &means, &s->run);
    s->limit.from_ns = s->run.late * s->cost.quiet_ns;
    s->run.silent |= is_first(c, s);
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_noise_state *s = (struct pl_noise_state *)c->arena;

    if (view->kind == PL_CHOICE_WAY && view->running >= 0)
        return (unsigned)view->running; /* as it was */
    return pl_rng_below(&s->rng, view->options);
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    struct pl_noise_state *s = (struct pl_noise_state *)c->arena;

    if (c->board == NULL || !pl_noise_ran(c->board, outcome) || s->counted == s->number)
        return true;
    s->counted = s->number;
    pl_cost_end(&s->cost, s->plan.cost, s->run.silent, c->board->took_ns, c->board->took_cpu_ns,
                s->run.spent_ns);
    if (s->run.silent)
        return true;
    s->n_weighed++;
    pl_cost_average(&s->weight, s->n_weighed, pl_disturb_weight(&s->run));
    pl_cost_average(&s->threads, s->n_weighed, s->run.begun);
    if (s->run.asked > 0)
        pl_cost_average(&s->news, ++s->n_asking, (double)s->run.news / s->run.asked);
    return true;
}

const struct pl_strategy pl_noise = {
    .name = "noise",
    .traits = PL_TRAITS_OF_noise,
    .start = start,
    .begin = begin,
    .choose = choose,
    .end = end,
};
