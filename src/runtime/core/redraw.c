/* SPDX-License-Identifier: MIT */
/* See redraw.h. */
#include "runtime/core/redraw.h"

#include "base/assert.h"
#include "runtime/core/strategy.h"
#include "runtime/ground/stage.h"

enum { TRIES = 2000, TRIES_FROM_ONE_PLACE = 16 };

/* Where nothing was chosen before it, no other execution comes past it; one that is measured is to
 * be as long as it gets. */
bool pl_redraw_wanted(void)
{
    return pl_strategy_samples() && !pl_board->measuring && !pl_stage->context.following &&
           pl_board->n_decisions > 0 && pl_board->redraw.tries < TRIES;
}

void pl_redraw_plan(void)
{
    struct pl_redraw *r = &pl_board->redraw;
    uint64_t n = pl_board_choices(pl_board);

    if (n > r->furthest) {
        r->furthest = n;
        r->back = 1;
        r->in_vain = 0;
    } else if (++r->in_vain >= TRIES_FROM_ONE_PLACE) {
        r->in_vain = 0;
        r->back *= 2;
        if (r->back / 2 >= r->furthest)
            r->furthest = r->back = 0; /* what it begins with does not lead there */
    }
    r->keep = r->back < r->furthest ? r->furthest - r->back : 0;
    r->tries++;
    r->due = true;
}

bool pl_redraw_is_due(void)
{
    return pl_board->redraw.due;
}

void pl_redraw_begin(void)
{
    struct pl_redraw *r = &pl_board->redraw;

    if (!r->due && r->tries > 0)
        *r = (struct pl_redraw){.keep = 0};
    r->due = false;
    pl_stage->context.attempt = r->tries;
}

void pl_redraw_begun(void)
{
    if (!pl_strategy_samples())
        pl_board->redraw.keep = 0; /* it is a search's turn, which knows what to choose */
}

unsigned pl_redraw_follow(const struct pl_view *view, unsigned taken)
{
    struct pl_redraw *r = &pl_board->redraw;

    if (view->depth >= r->keep || view->options == 1 || taken >= view->options)
        return taken;
    const struct pl_choice *c = &pl_board->choices[view->depth];

    if (c->kind == view->kind && c->options == view->options &&
        (view->next == NULL || view->next[c->taken]->tid == c->target))
        return c->taken;
    r->keep = 0; /* there are more choices than there were */
    return taken;
}
