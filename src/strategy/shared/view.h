/* SPDX-License-Identifier: MIT */
/*
 * What a view says beyond its fields: who goes on if nobody wants anything else,
 * and whether somebody is interrupted.  Preemptions are counted by this wherever
 * they are counted, so that a bound and what is minimised to it mean the same.
 */
#ifndef PL_STRATEGY_SHARED_VIEW_H
#define PL_STRATEGY_SHARED_VIEW_H

#include "strategy/shared/strategy.h"

/* The running thread, or the first option: what a schedule leaves unwritten. */
static inline unsigned pl_view_unwritten(const struct pl_view *view)
{
    return view->running >= 0 ? (unsigned)view->running : 0;
}

/* The running thread, or the first that need not time out. */
static inline unsigned pl_view_default(const struct pl_view *view)
{
    if (view->running >= 0)
        return (unsigned)view->running;
    for (unsigned i = 0; view->kind == PL_CHOICE_THREAD && i < view->options; i++) {
        if (view->next[i]->way == PL_WAY_NORMAL)
            return i;
    }
    return 0;
}

/* Whether to go on with another thread interrupts one: not if it could merely time out. */
static inline bool pl_view_interrupts(const struct pl_view *view)
{
    return view->kind == PL_CHOICE_THREAD && view->running >= 0 &&
           view->next[view->running]->way == PL_WAY_NORMAL;
}

/* Whether this option does. */
static inline bool pl_view_preempts(const struct pl_view *view, unsigned option)
{
    return pl_view_interrupts(view) && option != (unsigned)view->running;
}

/* The option tried as the order-th: the default first, then ascending. */
static inline unsigned pl_view_option(const struct pl_view *view, unsigned order)
{
    unsigned first = pl_view_default(view);

    PL_ASSERT(first < view->options && order < view->options);
    if (order == 0)
        return first;
    return order <= first ? order - 1 : order;
}

#endif /* PL_STRATEGY_SHARED_VIEW_H */
