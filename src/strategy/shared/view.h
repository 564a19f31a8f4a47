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

/* Whether the option is to go on as usual: neither by timing out nor before its time has come. */
static inline bool pl_view_is_usual(const struct pl_view *view, unsigned option)
{
    return view->next[option]->way == PL_WAY_NORMAL && !view->next[option]->early;
}

/* Whether it is a time-out, or the end of a sleep, that comes early. */
static inline bool pl_view_is_early(const struct pl_view *view, unsigned option)
{
    return view->kind == PL_CHOICE_THREAD && view->next[option]->early;
}

/* The running thread unless its time would have to come early, or the first that need not time
 * out. */
static inline unsigned pl_view_default(const struct pl_view *view)
{
    if (view->running >= 0 && !pl_view_is_early(view, (unsigned)view->running))
        return (unsigned)view->running;
    for (unsigned i = 0; view->kind == PL_CHOICE_THREAD && i < view->options; i++) {
        if (pl_view_is_usual(view, i))
            return i;
    }
    for (unsigned i = 0; view->kind == PL_CHOICE_THREAD && i < view->options; i++) {
        if (!view->next[i]->early)
            return i;
    }
    return 0;
}

/* Whether to go on with another thread interrupts one: not if it could merely time out. */
static inline bool pl_view_interrupts(const struct pl_view *view)
{
    return view->kind == PL_CHOICE_THREAD && view->running >= 0 &&
           pl_view_is_usual(view, (unsigned)view->running);
}

/* Whether this option does. */
static inline bool pl_view_preempts(const struct pl_view *view, unsigned option)
{
    return pl_view_interrupts(view) && option != (unsigned)view->running;
}

/* How many options are time-outs that come early. */
static inline unsigned pl_view_early(const struct pl_view *view)
{
    unsigned n = 0;

    for (unsigned i = 0; view->kind == PL_CHOICE_THREAD && i < view->options; i++)
        n += view->next[i]->early;
    return n;
}

/* The option tried as the order-th: the default first, then ascending, what comes early last. */
static inline unsigned pl_view_option(const struct pl_view *view, unsigned order)
{
    unsigned first = pl_view_default(view), usual = view->options - pl_view_early(view);

    PL_ASSERT(first < view->options && order < view->options);
    if (order == 0)
        return first;
    if (usual == view->options)
        return order <= first ? order - 1 : order;
    usual += view->next[first]->early; /* it comes first all the same */
    bool late = order < usual;
    unsigned left = late ? order - 1 : order - usual, i = 0;

    for (;; i++) {
        PL_ASSERT(i < view->options);
        if (i != first && view->next[i]->early != late && left-- == 0)
            return i;
    }
}

#endif /* PL_STRATEGY_SHARED_VIEW_H */
