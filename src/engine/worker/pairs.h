/* SPDX-License-Identifier: MIT */
/*
 * The pairs of a program (model/pair.h): made by the analyser, a process of its own, and handed to
 * workers whose strategy asks for them.
 *
 * The analyser is lib/plait/plait-static.  plait may have been built without it.
 */
#ifndef PL_ENGINE_WORKER_PAIRS_H
#define PL_ENGINE_WORKER_PAIRS_H

#include "base/err.h"
#include "engine/worker/slot.h"

/*
 * Analyse the program and the libraries that it is linked with.  The table is to be freed.  NULL
 * with a sentence when there is no analyser, or the program was not built with `plait cc --whole`.
 */
struct pl_pair_table *pl_pairs_make(const char *program, struct pl_err *err);

/* Print why statements at two places ("a.c:10" or a function) are in no pair. */
int pl_pairs_explain(const char *program, const char *a, const char *b, struct pl_err *err);

/* From then on, by pl_clock_ms(), no worker's question is waited for; 0: however long it takes. */
void pl_pairs_until(uint64_t ms);

/* Answer the worker of this slot if it asks; -1 when there is nothing to be had. */
int pl_pairs_answer(struct pl_slot *slot, struct pl_err *err);

#endif /* PL_ENGINE_WORKER_PAIRS_H */
