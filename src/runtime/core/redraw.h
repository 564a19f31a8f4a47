/* SPDX-License-Identifier: MIT */
/*
 * Samples that come to an assumption which does not hold are drawn again, from shortly before it.
 *
 * Where plait_assume() fails, a sample ends at once, and the same number is executed again.  The
 * next try begins with the choices of the one before, but for the last; after some tries that got
 * no further it goes back twice as far, and so on down to the root.  One that got further is what
 * the next ones begin with.  So a program whose assumptions hold in one of very many interleavings
 * is led past one after the other, and what is found behind them costs no number of executions in
 * which nothing can be found.
 *
 * A number has so many tries; then it is executed to its end, as in a search, and counted.
 */
#ifndef PL_RUNTIME_CORE_REDRAW_H
#define PL_RUNTIME_CORE_REDRAW_H

#include "strategy/shared/strategy.h"

/* An assumption does not hold: whether the execution, a sample, is to end and be drawn again. */
bool pl_redraw_wanted(void);
/* It is: the next try is planned. */
void pl_redraw_plan(void);
/* Of an execution that is over: whether the next one is another try. */
bool pl_redraw_is_due(void);
/* The next execution begins, a try or another number. */
void pl_redraw_begin(void);
/* The strategy has been told. */
void pl_redraw_begun(void);
/* What the choice at hand was in the try before, if this one begins with it; else `taken`. */
unsigned pl_redraw_follow(const struct pl_view *view, unsigned taken);

#endif /* PL_RUNTIME_CORE_REDRAW_H */
