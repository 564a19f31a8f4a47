/* SPDX-License-Identifier: MIT */
/*
 * Why an execution fails: the pair of operations whose order decides, found by
 * comparing it with one that passes and is like it up to one choice.
 */
#ifndef PL_ENGINE_FINDINGS_EXPLAIN_H
#define PL_ENGINE_FINDINGS_EXPLAIN_H

#include "engine/findings/describe.h"

/* A traced execution. */
struct pl_explain_side {
    const struct pl_scene *scene;
    const struct pl_event *events;
    uint64_t n;
};

/* Two events: one of the failing execution, one of the passing.  NULL: there is none. */
struct pl_explain_pair {
    const struct pl_event *first, *second;
    bool conflict; /* their order matters by itself: the same object, and one writes */
};

/*
 * The first operation of the failing execution, from where the two part, that
 * comes before a conflicting one of another thread, which comes first where it
 * passes.  Accesses to memory count before synchronisation unless `locks`, which
 * is for deadlocks.  Without any such pair it is the operations at which they part,
 * each of which comes before the other in its own execution.
 */
struct pl_explain_pair pl_explain_find(const struct pl_explain_side *failing,
                                       const struct pl_explain_side *passing, bool locks);

/* Put the pair into words. */
void pl_explain_order(struct pl_result_explanation *out, const struct pl_explain_side *failing,
                      const struct pl_explain_side *passing, const struct pl_explain_pair *pair);

/* A choice other than which thread goes on: taken in the failing, other in the passing one. */
void pl_explain_choice(struct pl_result_explanation *out, const struct pl_explain_side *failing,
                       const struct pl_choice *taken, const struct pl_choice *other);

#endif /* PL_ENGINE_FINDINGS_EXPLAIN_H */
