/* SPDX-License-Identifier: MIT */
/*
 * What disturbs free threads: sleeps, yields and the like before and after their operations.
 *
 * The thread that is disturbed calls, outside any lock of plait, while other threads run.  What is
 * to be done comes from strategy/noise/disturb.h.
 */
#ifndef PL_RUNTIME_FREE_NOISE_H
#define PL_RUNTIME_FREE_NOISE_H

#include "runtime/ground/stage.h"

void pl_noise_start(void); /* once the strategy has looked at its parameters */
void pl_noise_begin(void); /* in the process that executes, before anything is disturbed */
void pl_noise_thread(const struct pl_thread *t); /* before its first event */
void pl_noise_disturb(struct pl_thread *t, const struct pl_operation *op, bool before);
void pl_noise_count(void);                         /* the execution that is over */
const struct pl_disturb_plan *pl_noise_plan(void); /* NULL unless the strategy is noise */

#endif /* PL_RUNTIME_FREE_NOISE_H */
