/* SPDX-License-Identifier: MIT */
/*
 * What a worker asks about the program's machine code: at its root which accesses no hook
 * announces, later whether results of calls are used.
 */
#ifndef PL_ENGINE_WORKER_SITES_H
#define PL_ENGINE_WORKER_SITES_H

#include "engine/worker/slot.h"

/* Answer the worker of this slot if it asks. */
void pl_sites_answer(struct pl_slot *slot);
void pl_sites_answer_unused(struct pl_slot *slot);

#endif /* PL_ENGINE_WORKER_SITES_H */
