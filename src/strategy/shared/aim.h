/* SPDX-License-Identifier: MIT */
/*
 * Towards an order of a static pair that nobody has shown (model/goal.h), whatever strategy
 * chooses; the counterpart of direct.h, which goes by places that executions come to.
 *
 * Of the threads that could go on, the one that has come to the second statement waits until
 * another has performed the first one on the same object; then it goes on at once.  At first the
 * way there is straight: only those go on who can still come to the second one, as the analyser
 * says, and when one waits there, only those who can come to the first one.  When the same goal is
 * taken again, who goes on besides is drawn; a thread waits before it takes its first lock on the
 * way, since at the second one it may hold what others need; or not at the first visit.
 */
#ifndef PL_STRATEGY_SHARED_AIM_H
#define PL_STRATEGY_SHARED_AIM_H

#include "model/goal.h"
#include "strategy/shared/strategy.h"

enum pl_aim_way { PL_AIM_STRAIGHT, PL_AIM_DRAWN, PL_AIM_BEFORE_LOCKS, PL_AIM_LATER };

enum { PL_AIM_WAITS = 1, PL_AIM_TO_FIRST = 2, PL_AIM_TO_SECOND = 4 };

struct pl_aim {
    bool on;
    bool found;  /* the first one has been performed */
    uint8_t way; /* enum pl_aim_way */
    struct pl_goal_order goal;
    struct pl_operation held;   /* what the thread that waits is about to do; or PL_TID_NONE */
    uint32_t visits;            /* to the second one before somebody waits */
    uint32_t waited;            /* choices for which somebody did */
    uint8_t at[PL_THREADS_MAX]; /* where threads are: */
};

void pl_aim_begin(struct pl_aim *a, const struct pl_goal_order *goal);

/* A thread has come to its next operation. */
void pl_aim_come(struct pl_aim *a, const struct pl_strategy_context *c,
                 const struct pl_operation *op, bool holds);

/* Who of view->next may go on, as pl_direct_filter(). */
unsigned pl_aim_filter(struct pl_aim *a, const struct pl_view *view, unsigned *may);

/* The operation has been performed at this site; true: with it the order will come. */
bool pl_aim_see(struct pl_aim *a, const struct pl_operation *op, uint32_t site);

#endif /* PL_STRATEGY_SHARED_AIM_H */
