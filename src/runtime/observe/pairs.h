/* SPDX-License-Identifier: MIT */
/*
 * What the analyser knows of the program (model/pair.h), for strategies that go by it.  The tool
 * is asked at the root, where all modules are loaded, and leaves the table in the common.
 */
#ifndef PL_RUNTIME_OBSERVE_PAIRS_H
#define PL_RUNTIME_OBSERVE_PAIRS_H

#include "runtime/ground/stage.h"

extern const struct pl_observer pl_pairs_observer;

/* As stack() of struct pl_strategy_context. */
unsigned pl_pairs_stack(pl_tid tid, uint64_t *pcs, unsigned room, bool *whole);

#endif /* PL_RUNTIME_OBSERVE_PAIRS_H */
