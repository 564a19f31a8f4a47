/* SPDX-License-Identifier: MIT */
/*
 * A scheduler that free threads are to have, other than that of this machine: who goes first when a
 * thread was created, one processor, slices of time (strategy/noise/environments.def).
 *
 * Whoever is to go later is held up until the other waits, or for as long as the plan allows:
 * nobody is ever kept from what others wait for.  Like other noise it runs on the thread that is
 * held up, outside any lock of plait.
 */
#ifndef PL_RUNTIME_FREE_ENVIRONMENT_H
#define PL_RUNTIME_FREE_ENVIRONMENT_H

#include "runtime/ground/stage.h"
#include "strategy/noise/noise.h"

/* In the process that executes, by its first thread, before there are others. */
void pl_environment_begin(const struct pl_noise_state *s);

/* An event of the thread, before or after the operation. */
void pl_environment_event(const struct pl_noise_state *s, struct pl_thread *t,
                          const struct pl_operation *op, bool before);

#endif /* PL_RUNTIME_FREE_ENVIRONMENT_H */
