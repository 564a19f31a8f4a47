/* SPDX-License-Identifier: MIT */
/* What a worker asks at its root: which accesses of the program no hook announces. */
#ifndef PL_ENGINE_WORKER_SITES_H
#define PL_ENGINE_WORKER_SITES_H

#include "engine/worker/slot.h"

/* Answer the worker of this slot if it asks. */
void pl_sites_answer(struct pl_slot *slot);

#endif /* PL_ENGINE_WORKER_SITES_H */
