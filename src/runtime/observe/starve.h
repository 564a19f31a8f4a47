/* SPDX-License-Identifier: MIT */
/*
 * Starvation: a thread that waits for its lock while others go round and take it again and again.
 *
 * It is found in what an execution does, whoever chose that: the same operations of the same
 * threads come again and again, everybody who could go on in between does, and one thread only
 * waits.  See docs/design/starvation.md.
 */
#ifndef PL_RUNTIME_OBSERVE_STARVE_H
#define PL_RUNTIME_OBSERVE_STARVE_H

#include "runtime/core/observer.h"

extern const struct pl_observer pl_starve_observer;

/* Whether the thread could go on: it neither waits nor has only looked since it last went round. */
bool pl_starve_could(const struct pl_thread *t);
/* Whether it waits for something that locks are made of. */
bool pl_starve_waits(const struct pl_thread *t);

#endif /* PL_RUNTIME_OBSERVE_STARVE_H */
