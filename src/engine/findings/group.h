/* SPDX-License-Identifier: MIT */
/*
 * What is one race to a person: pairs of statements that meet at one variable, or the same two
 * lines that meet at several.  The detector tells pairs apart, since each is an execution of its
 * own; of a variable that everybody uses without a lock there are as many as there are uses.
 */
#ifndef PL_ENGINE_FINDINGS_GROUP_H
#define PL_ENGINE_FINDINGS_GROUP_H

#include "result/result.h"

/* The one of these races that `pair` belongs to, or NULL; `pair` may be one of them. */
struct pl_result_finding *pl_group_find(struct pl_result_finding *findings, size_t n,
                                        const struct pl_result_finding *pair);

/* Count the pair with the race; whichever of its accesses the race does not have yet is added. */
void pl_group_join(struct pl_result_finding *race, const struct pl_result_finding *pair);

#endif /* PL_ENGINE_FINDINGS_GROUP_H */
