/* SPDX-License-Identifier: MIT */
/*
 * Executions that keep a thread waiting.
 *
 * Few schedules keep a thread from its lock for long, and none that is fair by chance does so for
 * ever.  So where somebody waits, the others are led: each goes round its loop once, back to where
 * it was; whoever waits and is woken looks once more, and if that was for nothing all are where
 * they were.  Then the same is done again, until starve.c has seen enough, or somebody gets
 * through.
 */
#ifndef PL_RUNTIME_OBSERVE_PUMP_H
#define PL_RUNTIME_OBSERVE_PUMP_H

#include "runtime/ground/stage.h"

/* The execution begins: whether it is to be led. */
void pl_pump_begin(bool wanted);
/* A thread has announced its operation: an attempt may begin here. */
void pl_pump_announced(void);
/* What is repeated keeps nobody waiting. */
void pl_pump_stop(void);
/* The thread is about to perform its operation. */
void pl_pump_chosen(const struct pl_thread *t);

#endif /* PL_RUNTIME_OBSERVE_PUMP_H */
