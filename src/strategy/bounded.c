/* SPDX-License-Identifier: MIT */
/* See bounded.h. */
#include "strategy/bounded.h"

#include "strategy/plan.h"

void pl_bounded_start(struct pl_bounded *b, uint32_t bound)
{
    b->n = 0;
    b->bound = bound;
    b->strayed = false;
}

void pl_bounded_begin(struct pl_bounded *b)
{
    b->depth = 0;
    b->preemptions = 0;
}

/* The option tried as the order-th: the default first, then ascending. */
static unsigned option_at(const struct pl_view *view, unsigned order)
{
    unsigned first = pl_plan_default(view);

    if (order == 0)
        return first;
    return order <= first ? order - 1 : order;
}

/* How many options may be tried: the default alone when any other is one preemption too many. */
static uint16_t allowed(const struct pl_bounded *b, const struct pl_view *view)
{
    bool spent = b->preemptions >= b->bound && pl_plan_preempts(view, option_at(view, 1));

    return spent ? 1 : (uint16_t)view->options;
}

unsigned pl_bounded_choose(struct pl_bounded *b, const struct pl_view *view)
{
    unsigned taken = pl_plan_default(view);

    if (b->depth >= PL_MINIMAL_CHOICES) {
        b->strayed = true;
        return taken;
    }
    struct pl_bounded_frame *f = &b->path[b->depth++];

    if (b->depth > b->n) {
        *f = (struct pl_bounded_frame){0, allowed(b, view), (uint16_t)view->options};
        b->n = b->depth;
    } else if (f->options != view->options) {
        /* The program did not repeat itself: nothing follows from this path. */
        b->strayed = true;
        b->n = b->depth;
        *f = (struct pl_bounded_frame){0, 1, (uint16_t)view->options};
    }
    taken = option_at(view, f->order);
    b->preemptions += pl_plan_preempts(view, taken);
    return taken;
}

bool pl_bounded_next(struct pl_bounded *b)
{
    uint64_t n = b->depth;

    while (n > 0 && b->path[n - 1].order + 1u >= b->path[n - 1].end)
        n--;
    b->n = n;
    if (n == 0)
        return false;
    b->path[n - 1].order++;
    return true;
}
