/* SPDX-License-Identifier: MIT */
/*
 * Depth-first search over all choices: the reference for everybody else.
 *
 * The running thread comes first at every choice, so that the first execution
 * has no preemption.  All the rest is in path.h.
 */
#include "strategy/shared/path.h"
#include "strategy/shared/table.h"
#include "strategy/shared/view.h"

static const char *start(struct pl_strategy_context *c)
{
    pl_path_start(c);
    pl_path_of(c)->estimates = true;
    return c->settings->parameters[0] == '\0' ? NULL : "dfs has no parameters: leave them out.";
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    return pl_view_option(view, pl_path_take(c, view, view->options, pl_view_option));
}

const struct pl_strategy pl_dfs = {
    .name = "dfs",
    .traits = PL_TRAITS_OF_dfs,
    .start = start,
    .begin = pl_path_begin,
    .choose = choose,
    .end = pl_path_end,
    .resumes = &pl_path_resumes,
    .search = &pl_path_estimating,
    .divides = &pl_path_divides,
};
