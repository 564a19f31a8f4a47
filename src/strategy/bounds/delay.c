/* SPDX-License-Identifier: MIT */
/*
 * Delay bounding (Emmi, Qadeer and Rakamaric 2011): executions that deviate
 * little from one deterministic scheduler, first none, then those with one
 * delay, and so on.
 *
 * That scheduler is round-robin without preemption: the running thread goes on
 * as long as it can, then the next one in the order of creation that can.  A
 * delay passes over whoever would go on; so the i-th thread after it costs i
 * delays.  In contrast to preemption bounding (pcb.c) this also bounds who goes
 * on when a thread cannot, and so the number of executions does not grow with
 * the number of threads as long as there are no delays.
 *
 * Only threads are delayed: every choice that is not between threads is free
 * and tried in full.
 *
 * Each round repeats those before it, and there are no sleep sets, for the
 * reasons given in pcb.c.
 */
#include "strategy/shared/path.h"
#include "strategy/shared/table.h"

static const char *start(struct pl_strategy_context *c)
{
    return pl_path_start_bounded(
        c, "delay takes one number, the most delays of an execution, up to 60000: write delay:2, "
           "or delay to go on until there is no more.");
}

/* The option that is the order-th in turn; the threads of the options ascend. */
static unsigned in_turn(const struct pl_view *view, unsigned order)
{
    unsigned first = 0;

    while (first < view->options && view->next[first]->tid < view->at.tid)
        first++;
    return (first + order) % view->options;
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_path *s = pl_path_of(c);

    if (view->kind != PL_CHOICE_THREAD)
        return pl_path_take(c, view, view->options, in_turn);
    unsigned left = s->used < s->bound ? s->bound - s->used : 0;
    unsigned end = left + 1 < view->options ? left + 1 : view->options;
    unsigned order = pl_path_take(c, view, end, in_turn);

    s->used = (uint16_t)(s->used + order);
    return in_turn(view, order);
}

static const struct pl_strategy_rounds rounds = {
    .left_out = pl_path_left_out, .last = pl_path_last_round, .bounds = "delay"};

const struct pl_strategy pl_delay = {
    .name = "delay",
    .traits = PL_TRAITS_OF_delay,
    .start = start,
    .begin = pl_path_begin,
    .choose = choose,
    .end = pl_path_end,
    .resumes = &pl_path_resumes,
    .search = &pl_path_search,
    .divides = &pl_path_divides,
    .rounds = &rounds,
};
